// Claude Code sessions: one JSON object a line, in ~/.claude/projects/<project>/<session>.jsonl,
// with the conversations of subagents in files of their own beside it (earlier: in the same
// file), long results in more files, and the harness's bookkeeping between the messages.
//
// A message of the API comes in several lines, with the results of its first calls among
// them; the parentUuid of the lines tells where a person went back and asked again.
#include <array>
#include <memory>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/anthropic_transcript.hpp"
#include "weft/formats/adapters/claude_code_places.hpp"
#include "weft/formats/adapters/claude_code_session.hpp"

namespace weft::formats {
namespace {

using claude_code::Entry;
using transcript::Sink;

// A line that a crash tore may have the next one glued to it. The whole records that we know
// begin so.
std::optional<std::string_view> whole_tail(std::string_view text) {
  constexpr std::array<std::string_view, 4> kBeginnings = {"{\"parentUuid\":", "{\"type\":\"",
                                                           "{\"uuid\":\"", "{\"isSidechain\":"};
  constexpr int kTries = 8;
  std::size_t at = 0;
  for (int i = 0; i < kTries; ++i) {
    std::size_t next = std::string_view::npos;
    for (const std::string_view beginning : kBeginnings) {
      next = std::min(next, text.find(beginning, at + 1));
    }
    if (next == std::string_view::npos) return std::nullopt;
    at = next;
    if (parse_json(text.substr(at))) return text.substr(at);
  }
  return std::nullopt;
}

class ClaudeCodeReader final : public Reader {
 public:
  explicit ClaudeCodeReader(const SourceInfo& info) : session_(info) {}

  void read(const Record& record, Sink& sink) override {
    ++number_;
    if (record.stray) {
      sink.skip({record.line, "malformed: stands outside of the log"});
      return;
    }
    if (!record.member.empty()) {
      sink.skip({record.line, "unmapped member"});
      return;
    }
    std::string storage;
    std::size_t repairs = 0;
    std::string_view text = repair_json(record.text, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    Result<ParsedJson> parsed = parse_json(text);
    if (!parsed) {
      if (record.cut) {
        sink.skip({record.line, "malformed: cut off"});
      } else {
        anthropic::parse_or_skip(text, record.line, sink);  // says what is wrong with it
      }
      const auto tail = whole_tail(text);
      if (!tail) return;
      text = *tail;
      parsed = parse_json(text);
    }
    const auto entry = claude_code::entry_of(std::move(*parsed), text, record.line, number_);
    if (!entry) {
      sink.skip({record.line, "malformed: not an object"});
      return;
    }
    session_.read(*entry, record.text, sink);
  }

  void finish(Sink& sink) override { session_.finish(sink); }

  std::string save() const override {
    json::object state = session_.save();
    state["number"] = number_;
    return canonical_json(std::move(state));
  }

  Status restore(std::string_view state) override {
    const Result<ParsedJson> parsed = parse_json(state);
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    const auto number = object == nullptr ? std::nullopt : find_int(*object, "number");
    if (!number || *number < 0 || !session_.restore(*object)) {
      return fail(ErrorCode::corrupt, "restoring a claude-code reader: not its state");
    }
    number_ = static_cast<std::uint64_t>(*number);
    return {};
  }

 private:
  claude_code::Session session_;
  std::uint64_t number_ = 0;  // records so far
};

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<ClaudeCodeReader>(info);
}

}  // namespace

const Adapter& claude_code_adapter() {
  static constexpr Adapter adapter{
      .name = claude_code::kName,
      .family = "anthropic",
      .version = 1,
      .recognises = claude_code::recognises,
      .frame = claude_code::frame,
      .open = open,
      .grows = true,
      .folders = claude_code::folders,
      .leaves = claude_code::leaves,
      .project = claude_code::project,
  };
  return adapter;
}

}  // namespace weft::formats
