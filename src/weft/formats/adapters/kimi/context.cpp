// kimi-cli's context.jsonl: the messages that the model was given, one in each line, with no
// ids and no times; and records of kimi-cli's own, whose roles begin with "_".
//
//   {"role": "_system_prompt", "content": "…"}    {"role": "_usage", "token_count": 512}
//   {"role": "assistant", "content": [parts], "tool_calls": [{"id", "function": {…}}]}
//   {"role": "tool", "tool_call_id", "content": "…"}
//
// It says again what the wire.jsonl beside it says, which knows more and forgets nothing. So
// if there is one, only what it lacks is emitted: what the program sends to the model, what
// a compaction came to, and, of a wire that broke off, what comes after. Places are "#c3", as
// the wire's are "#3" and both are of one conversation.
//
// What is appended while somebody watches is in the wire by then or soon after, so that is not
// compared.
#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapters/kimi/kimi.hpp"
#include "weft/formats/adapters/kimi/mirror.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/recent.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Author;
using transcript::Sink;

// Calls that may have spawned an agent. One that answers after that many others is not joined.
constexpr std::size_t kMostSpawning = 64;

constexpr std::string_view kCompacted = "<system>Previous context has been compacted";
constexpr std::string_view kCheckpoint = "<system>CHECKPOINT";
constexpr std::string_view kNote = "<notification";
constexpr std::string_view kError = "<system>ERROR";

class ContextLog final : public Log {
 public:
  explicit ContextLog(const SourceInfo& info)
      : info_(info), place_(place_of(Kind::context, info)) {}

  void read(const JsonRecord& record, const json::object& line, Sink& sink) override;
  void finish(Sink& /*sink*/) override {}
  void archive(StateArchive& a) override;

 private:
  void begin(std::string_view raw, Sink& sink);
  void look_for_wire();
  void read_answer(const JsonRecord& record, const json::object& line, Sink& sink);
  void read_result(const JsonRecord& record, const json::object& line, Sink& sink);
  void emit(const JsonRecord& record, std::vector<AuthoredBlock> blocks, Sink& sink);
  bool is_in_wire(const AuthoredBlock& blocks) const;
  void emit_compaction(const JsonRecord& record, std::string summary, Sink& sink);

  SourceInfo info_;
  Place place_;
  TurnBuilder builder_;
  Recent spawning_{kMostSpawning};
  bool is_mirror_ = false, is_silent_ = false, is_restored_ = false;
  std::optional<Mirror> mirror_;  // of a wire that is not too large
};

void ContextLog::begin(std::string_view raw, Sink& sink) {
  if (builder_.has_begun()) return;
  if (is_mirror_) place_ = place_of_wire(place_);
  builder_.begin(heading_of(place_, kCliProgram, raw), sink);
  if (const auto origin = origin_of(place_)) sink.origin(*origin);
  transcript::Facts facts;
  if (place_.agent.empty()) facts = facts_beside(info_, "state.json");
  if (!info_.project.empty()) facts.project = info_.project;
  if (facts != transcript::Facts()) sink.facts(facts);
}

// Once there is a wire, it stays. It is looked for again with each prompt while there is none: a
// session's first lines may be here before it is there. One with turns but no words in them is
// none.
void ContextLog::look_for_wire() {
  if (is_mirror_ || is_silent_ || !has_beside(info_, "wire.jsonl")) return;
  const auto wire = info_.beside ? info_.beside("wire.jsonl") : std::nullopt;
  if (wire && !is_restored_) {
    mirror_.emplace(*wire);
    is_silent_ = mirror_->is_silent() && wire->find("\"TurnBegin\"") != std::string::npos;
  }
  is_mirror_ = !is_silent_;
}

void ContextLog::read(const JsonRecord& record, const json::object& line, Sink& sink) {
  const auto role = find_string(line, "role");
  const json::value* content = find_member(line, "content");
  if (!role) {
    sink.skip({record.line, "malformed: no message of a context"});
    return;
  }
  if (record.number == 1 || *role == "user") look_for_wire();
  if (role->starts_with('_') && *role != "_system_prompt") {
    sink.skip({record.line, "internal"});
    return;
  }
  const std::string text = *role == "user" || *role == "assistant" ? text_of(content) : "";
  const bool is_compaction = text.starts_with(kCompacted);
  if (is_mirror_ && place_.is_aside && !is_compaction) {
    sink.skip({record.line, "mirror"});
    return;
  }
  begin(record.raw, sink);
  if (is_compaction) {
    const std::size_t end = text.find('\n');
    emit_compaction(record, end == std::string::npos ? "" : text.substr(end + 1), sink);
  } else if (record.parsed.inexact) {
    emit(record,
         {{.author = *role == "user" ? Author::human : Author::model,
           .body = anthropic::unknown_from_text(record.parsed.value, record.text)}},
         sink);
  } else if (*role == "user") {
    if (text.starts_with(kCheckpoint)) sink.skip({record.line, "internal"});
    else emit(record, append_prompt(content), sink);
  } else if (*role == "assistant") {
    read_answer(record, line, sink);
  } else if (*role == "tool") {
    read_result(record, line, sink);
  } else {
    emit(record, append_text(content, Author::program), sink);
  }
}

void ContextLog::read_answer(const JsonRecord& record, const json::object& line, Sink& sink) {
  std::vector<AuthoredBlock> blocks = append_text(find_member(line, "content"), Author::model);
  std::vector<std::string> spawning;
  if (const json::array* calls = find_array(line, "tool_calls")) {
    for (const json::value& value : *calls) {
      const json::object* call = value.if_object();
      if (call == nullptr) continue;
      transcript::ToolCall parsed = parse_call(*call);
      if (is_spawning(parsed.name) && !parsed.id.empty()) spawning.push_back(parsed.id);
      blocks.push_back({.author = Author::model, .body = std::move(parsed)});
    }
  }
  emit(record, std::move(blocks), sink);
  if (is_mirror_) return;
  for (std::string& call : spawning) {
    spawning_.add(call);
    sink.spawned({.call_id = std::move(call)});
  }
}

void ContextLog::read_result(const JsonRecord& record, const json::object& line, Sink& sink) {
  transcript::ToolResult result{.call_id = find_words(line, "tool_call_id").value_or("")};
  set_output(result, find_member(line, "content"));
  result.is_error = result.text.starts_with(kError);
  const auto agent = spawned_agent(result);
  const std::string call_id = result.call_id;
  emit(record, {{.author = Author::tool, .body = std::move(result)}}, sink);
  if (agent && spawning_.has(call_id)) sink.spawned({.call_id = call_id, .agent = agent});
}

void ContextLog::emit(const JsonRecord& record, std::vector<AuthoredBlock> authored, Sink& sink) {
  if (authored.empty()) {
    sink.skip({record.line, "empty"});
    return;
  }
  RecordContent content{
      .place = "#c" + std::to_string(record.number), .is_prompt = true, .model = info_.model};
  if (!is_mirror_) {
    content.blocks = std::move(authored);
    builder_.emit(std::move(content), sink);
    return;
  }
  bool is_emitted = false;
  for (std::size_t i = 0; i < authored.size(); ++i) {
    if (is_in_wire(authored[i])) continue;
    is_emitted = true;
    content.first_index = static_cast<std::uint32_t>(i);
    content.blocks = {std::move(authored[i])};
    builder_.emit(content, sink);
  }
  if (!is_emitted) sink.skip({record.line, "mirror"});
}

bool ContextLog::is_in_wire(const AuthoredBlock& block) const {
  const auto* text = std::get_if<transcript::Text>(&block.body);
  // What the program says is in no wire, but for what it notes.
  if (block.author == Author::program && text != nullptr) return text->text.starts_with(kNote);
  return !mirror_ || mirror_->has(block);
}

// The next compaction rewrites the file: the result of this one must keep its place.
void ContextLog::emit_compaction(const JsonRecord& record, std::string summary, Sink& sink) {
  if (summary.empty()) {
    sink.skip({record.line, "empty"});
    return;
  }
  constexpr std::size_t kBytes = 8;
  const Digest digest = crypto::blake3(summary);
  builder_.emit({.place = "#c" + to_hex(std::span(digest).first(kBytes)),
                 .blocks = {{.author = Author::model,
                             .body = transcript::Compaction{.summary = std::move(summary)}}},
                 .model = info_.model},
                sink);
}

void ContextLog::archive(StateArchive& a) {
  a.field("teller", builder_);
  spawning_.archive(a, "spawning");
  a.field("mirror", is_mirror_);
  a.field("silent", is_silent_);
  if (!a.is_writing()) is_restored_ = builder_.has_begun();
}

}  // namespace

std::unique_ptr<Log> open_context(const SourceInfo& info) {
  return std::make_unique<ContextLog>(info);
}

}  // namespace weft::formats::kimi
