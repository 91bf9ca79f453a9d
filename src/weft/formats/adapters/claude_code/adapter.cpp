// Claude Code sessions: one JSON object a line, in ~/.claude/projects/<project>/<session>.jsonl,
// with the conversations of subagents in files of their own beside it (earlier: in the same
// file), long results in more files, and the harness's bookkeeping between the messages.
//
// A message of the API comes in several lines, with the results of its first calls among
// them; the parentUuid of the lines shows where a person went back and asked again.
#include <array>
#include <memory>
#include <utility>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/claude_code/places.hpp"
#include "weft/formats/adapters/claude_code/session.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats {
namespace {

using transcript::Sink;

class ClaudeCodeReader final : public JsonReader {
 public:
  explicit ClaudeCodeReader(const SourceInfo& info)
      : JsonReader(claude_code::kName), session_(info) {}

  void finish(Sink& sink) override { session_.finish(sink); }

 private:
  void read_record(JsonRecord record, Sink& sink) override {
    if (!record.member.empty()) {
      sink.skip({record.line, "unmapped member"});
      return;
    }
    const auto entry =
        claude_code::entry_of(std::move(record.parsed), record.text, record.line, record.number);
    if (!entry) {
      sink.skip({record.line, "malformed: not an object"});
      return;
    }
    session_.read(*entry, record.raw, sink);
  }

  // Whole records of known types begin like this.
  std::optional<std::string_view> find_whole(std::string_view text) const override {
    static constexpr std::array<std::string_view, 4> kBeginnings = {
        "{\"parentUuid\":", "{\"type\":\"", "{\"uuid\":\"", "{\"isSidechain\":"};
    return find_glued(text, kBeginnings);
  }

  void archive(StateArchive& a) override { session_.archive(a); }

  claude_code::Session session_;
};

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<ClaudeCodeReader>(info);
}

}  // namespace

const Adapter& claude_code_adapter() {
  static constexpr Adapter adapter{
      .name = claude_code::kName,
      .family = "anthropic",
      .version = 2,
      .recognises = claude_code::recognises,
      .frame = claude_code::frame,
      .open = open,
      .grows = true,
      .folders = claude_code::folders,
      .ignore_reason = claude_code::ignore_reason,
      .project = claude_code::project,
  };
  return adapter;
}

}  // namespace weft::formats
