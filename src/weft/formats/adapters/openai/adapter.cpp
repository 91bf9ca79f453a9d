// Logs of OpenAI's Chat Completions and Responses APIs, and of APIs that imitate them: bodies of
// requests and answers, alone, in pairs, in batches or in lists, one document or one a line; lists
// of messages, as in training data; and recorded streams, as server-sent events or one event a
// line. The probabilities of tokens (logprobs) are not kept.
#include <memory>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/openai/conversation_key.hpp"
#include "weft/formats/adapters/openai/log.hpp"
#include "weft/formats/adapters/openai/recognise.hpp"
#include "weft/formats/apis/openai/json_detecting_sink.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/text.hpp"
#include "weft/formats/writing/openai_messages.hpp"

namespace weft::formats {
namespace {

using transcript::Sink;

class OpenAiReader final : public JsonReader {
 public:
  explicit OpenAiReader(const SourceInfo& info) : JsonReader(openai::kName), log_(info) {}

  void finish(Sink& sink) override { log_.finish(sink); }

 private:
  bool read_text(const Record& record, std::uint64_t number, Sink& sink) override {
    if (record.stray) return false;
    const std::string_view text = trim(record.text);
    if (text == "[DONE]" || text == "data: [DONE]") {
      openai::Place place = place_of(record.text, record.line, number);
      log_.end_stream(place, sink);
      sink.skip({record.line, "end of stream"});
      return true;
    }
    // Events without empty lines between them come as one record.
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !parse_json(text.substr(0, end))) return false;
    std::uint64_t line = record.line;
    for (std::size_t at = 0; at < text.size(); ++line) {
      const std::size_t next = std::min(text.find('\n', at), text.size());
      read_line({.text = text.substr(at, next - at), .line = line}, number, sink);
      at = next + 1;
    }
    return true;
  }

  void read_line(const Record& record, std::uint64_t number, Sink& sink) {
    if (trim(record.text).empty() || read_text(record, number, sink)) return;
    std::string storage;
    std::size_t repairs = 0;
    const std::string_view text = repair_json(record.text, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    auto parsed = parse_or_skip(text, record.line, sink);
    if (!parsed) return;
    read_record({.parsed = std::move(*parsed),
                 .text = text,
                 .raw = record.text,
                 .member = {},
                 .line = record.line,
                 .number = number},
                sink);
  }

  void read_record(JsonRecord record, Sink& sink) override {
    openai::Place place = place_of(record.raw, record.line, record.number);
    openai::JsonDetectingSink watch(sink);
    log_.read(record.parsed.value, place, watch);
    if (record.parsed.inexact && watch.has_json()) {
      log_.keep_text(record.parsed.value, record.text, place, sink);
    }
  }

  static openai::Place place_of(std::string_view raw, std::uint64_t line, std::uint64_t number) {
    return {.record = "#" + std::to_string(number), .line = line, .raw = raw};
  }

  void archive(StateArchive& a) override { log_.archive(a); }

  openai::Log log_;
};

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<OpenAiReader>(info);
}

}  // namespace

const Adapter& openai_adapter() {
  static constexpr Adapter adapter{.name = openai::kName,
                                   .family = "openai",
                                   .version = 3,
                                   .recognises = openai::recognises,
                                   .frame = openai::frame,
                                   .open = open,
                                   .grows = true,
                                   .write = openai::write_messages,
                                   .writes_as = openai::kMessagesForm,
                                   .conversation_key = openai::conversation_key,
                                   .answer_name = openai::answer_name};
  return adapter;
}

}  // namespace weft::formats
