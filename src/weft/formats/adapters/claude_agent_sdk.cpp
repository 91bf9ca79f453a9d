// What the Claude Agent SDK says, and `claude -p --output-format stream-json`: one message in a
// line, with the lines of subagents among the session's own; or, without the stream, the result
// alone or an array of it all.
#include "weft/formats/adapters/claude_agent_sdk.hpp"

#include <memory>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/anthropic_transcript.hpp"

namespace weft::formats {
namespace {

using transcript::Sink;

class SdkReader final : public Reader {
 public:
  explicit SdkReader(const SourceInfo& info) : stream_(info) {}

  void read(const Record& record, Sink& sink) override {
    ++number_;
    if (record.stray) {
      sink.skip({record.line, "malformed: stands outside of the stream"});
      return;
    }
    std::string storage;
    std::size_t repairs = 0;
    const std::string_view text = repair_json(record.text, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    Result<ParsedJson> parsed = parse_json(text);
    if (!parsed) {
      // Captures have what was printed beside the stream in them too.
      if (record.cut) {
        sink.skip({record.line, "malformed: cut off"});
      } else {
        anthropic::parse_or_skip(text, record.line, sink);
      }
      return;
    }
    const auto entry = claude_agent_sdk::entry_of(std::move(*parsed), text, record.line, number_);
    if (!entry) {
      sink.skip({record.line, "malformed: not an object"});
      return;
    }
    stream_.read(*entry, record.text, sink);
  }

  void finish(Sink& sink) override { stream_.finish(sink); }

  std::string save() const override {
    json::object state = stream_.save();
    state["number"] = number_;
    return canonical_json(std::move(state));
  }

  Status restore(std::string_view state) override {
    const Result<ParsedJson> parsed = parse_json(state);
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    const auto number = object == nullptr ? std::nullopt : find_int(*object, "number");
    if (!number || *number < 0 || !stream_.restore(*object)) {
      return fail(ErrorCode::corrupt, "restoring a claude-agent-sdk reader: not its state");
    }
    number_ = static_cast<std::uint64_t>(*number);
    return {};
  }

 private:
  claude_agent_sdk::Stream stream_;
  std::uint64_t number_ = 0;  // records so far
};

std::unique_ptr<Reader> open(const SourceInfo& info) { return std::make_unique<SdkReader>(info); }

}  // namespace

const Adapter& claude_agent_sdk_adapter() {
  static constexpr Adapter adapter{
      .name = claude_agent_sdk::kName,
      .family = "anthropic",
      .version = 1,
      .recognises = claude_agent_sdk::recognises,
      .frame = claude_agent_sdk::frame,
      .open = open,
      .grows = true,
  };
  return adapter;
}

}  // namespace weft::formats
