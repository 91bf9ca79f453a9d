// The output of the Claude Agent SDK and of `claude -p --output-format stream-json`: one message a
// line, with those of subagents among the session's own. Without the stream, the result alone or
// an array of all messages.
#include "weft/formats/adapters/claude_agent_sdk/claude_agent_sdk.hpp"

#include <memory>
#include <utility>

#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats {
namespace {

using transcript::Sink;

class SdkReader final : public JsonReader {
 public:
  explicit SdkReader(const SourceInfo& info) : JsonReader(claude_agent_sdk::kName), stream_(info) {}

  void finish(Sink& sink) override { stream_.finish(sink); }

 private:
  void read_record(JsonRecord record, Sink& sink) override {
    const auto entry = claude_agent_sdk::entry_of(std::move(record.parsed), record.text,
                                                  record.line, record.number);
    if (!entry) {
      sink.skip({record.line, "malformed: not an object"});
      return;
    }
    stream_.read(*entry, record.raw, sink);
  }

  void archive(StateArchive& a) override { stream_.archive(a); }

  claude_agent_sdk::Stream stream_;
};

std::unique_ptr<Reader> open(const SourceInfo& info) { return std::make_unique<SdkReader>(info); }

}  // namespace

const Adapter& claude_agent_sdk_adapter() {
  static constexpr Adapter adapter{
      .name = claude_agent_sdk::kName,
      .family = "anthropic",
      .version = 2,
      .recognises = claude_agent_sdk::recognises,
      .frame = claude_agent_sdk::frame,
      .open = open,
      .grows = true,
  };
  return adapter;
}

}  // namespace weft::formats
