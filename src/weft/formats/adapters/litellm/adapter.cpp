// Logs of LiteLLM, a proxy for the APIs of many vendors: the output of its callbacks, one call a
// line or a file; the rows of its database; and its traces for Langfuse. Every call repeats the
// conversation so far, in OpenAI's format whichever vendor answers.
#include <memory>
#include <utility>

#include "weft/formats/adapters/litellm/call.hpp"
#include "weft/formats/adapters/litellm/recognise.hpp"
#include "weft/formats/apis/openai/conversation_log.hpp"
#include "weft/formats/apis/openai/json_detecting_sink.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats {
namespace {

using openai::ConversationLog;
using openai::Place;
using transcript::Sink;

class LiteLlmReader final : public JsonReader {
 public:
  explicit LiteLlmReader(const SourceInfo& info)
      : JsonReader(litellm::kName),
        talk_({.format = std::string(litellm::kName), .family = "litellm", .program = "litellm"},
              info) {}

  void finish(Sink& /*sink*/) override {}

 private:
  void read_record(JsonRecord record, Sink& sink) override {
    Place place{.record = record.counted(), .line = record.line, .raw = record.raw};
    if (!record.member.empty()) {
      // The members beside the list only describe how it was sent.
      sink.skip({record.line, "internal"});
      return;
    }
    openai::JsonDetectingSink watch(sink);
    read_value(record.parsed.value, place, watch);
    // The text is not kept: it contains keys and names of people.
    if (record.parsed.inexact && watch.has_json()) sink.skip({record.line, "inexact numbers"});
  }

  void read_value(const json::value& value, Place& place, Sink& sink) {
    const json::object* object = value.if_object();
    if (object == nullptr) {
      sink.skip({place.line, "malformed: not an object"});
      return;
    }
    for (const std::string_view key : {"batch", "data"}) {
      const json::array* records = find_array(*object, key);
      if (records == nullptr || object->contains("call_type")) continue;
      for (const json::value& one : *records) read_value(one, place, sink);
      return;
    }
    if (const std::string reason = litellm::reason_to_skip(*object); !reason.empty()) {
      sink.skip({place.line, reason});
      return;
    }
    read_call(litellm::parse_call(*object), place, sink);
  }

  void read_call(litellm::Call call, Place& place, Sink& sink) {
    for (std::size_t i = 0; i < call.request.strange; ++i) {
      sink.skip({place.line, "malformed: unknown role"});
    }
    if (call.request.is_too_large) {
      sink.skip(
          {place.line, "too large: more than " + std::to_string(openai::kMaxParts) + " parts"});
    }
    place.time = call.start ? call.start : call.stop;
    const bool has_news = talk_.ask(std::move(call.request), place, sink);
    const ConversationLog::RecordContent content =
        talk_.answer(std::move(call.answer), place, sink);
    if (has_news || content == ConversationLog::RecordContent::news) return;
    sink.skip({place.line,
               content == ConversationLog::RecordContent::duplicate ? "duplicate" : "no content"});
  }

  void archive(StateArchive& a) override { a.field("talk", talk_); }

  ConversationLog talk_;
};

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<LiteLlmReader>(info);
}

}  // namespace

const Adapter& litellm_adapter() {
  static constexpr Adapter adapter{.name = litellm::kName,
                                   .family = "litellm",
                                   .version = 3,
                                   .recognises = litellm::recognises,
                                   .frame = litellm::frame,
                                   .open = open,
                                   .grows = true};
  return adapter;
}

}  // namespace weft::formats
