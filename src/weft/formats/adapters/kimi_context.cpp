// kimi-cli's context.jsonl: the messages that the model was given, one in each line, with no
// ids and no times; and records of kimi-cli's own, whose roles begin with "_".
//
//   {"role": "_system_prompt", "content": "…"}    {"role": "_usage", "token_count": 512}
//   {"role": "assistant", "content": [parts], "tool_calls": [{"id", "function": {…}}]}
//   {"role": "tool", "tool_call_id", "content": "…"}
//
// It says again what the wire.jsonl beside it says, which knows more and forgets nothing. So
// where there is one, only what that has not is told: the system prompt, and what a compaction
// came to. Places are "#c3", as the wire's are "#3" and both are of one conversation.
#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapters/anthropic_blocks.hpp"
#include "weft/formats/adapters/kimi.hpp"
#include "weft/formats/recent.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Author;
using transcript::Sink;

// Calls that may have spawned an agent. One that answers after so many others is not joined.
constexpr std::size_t kMostSpawning = 64;

constexpr std::string_view kCompacted = "<system>Previous context has been compacted";
constexpr std::string_view kCheckpoint = "<system>CHECKPOINT";
constexpr std::string_view kError = "<system>ERROR";

class ContextLog final : public Log {
 public:
  explicit ContextLog(const SourceInfo& info)
      : info_(info), place_(place_of(Kind::context, info)) {}

  void read(const JsonRecord& record, const json::object& line, Sink& sink) override;
  void finish(Sink& /*sink*/) override {}
  json::object save() const override;
  bool restore(const json::object& state) override;

 private:
  void begin(std::string_view raw, Sink& sink);
  bool is_mirrored();
  void read_answer(const JsonRecord& record, const json::object& line, Sink& sink);
  void read_result(const JsonRecord& record, const json::object& line, Sink& sink);
  void tell(const JsonRecord& record, std::vector<Said> said, Sink& sink);
  void tell_compaction(const JsonRecord& record, std::string summary, Sink& sink);

  SourceInfo info_;
  Place place_;
  Teller teller_;
  Recent spawning_{kMostSpawning};
  bool is_mirror_ = false;
};

void ContextLog::begin(std::string_view raw, Sink& sink) {
  if (teller_.has_begun()) return;
  if (is_mirrored()) place_ = place_of_wire(place_);
  teller_.begin(heading_of(place_, kCliProgram, raw), sink);
  if (const auto origin = origin_of(place_)) sink.origin(*origin);
  transcript::Facts facts;
  if (place_.agent.empty()) facts = facts_beside(info_, "state.json");
  if (!info_.project.empty()) facts.project = info_.project;
  if (facts != transcript::Facts()) sink.facts(facts);
}

// Once there is a wire, it stays. It is looked for again while there is none: a session's first
// lines may be here before it is there. A wire that has turns but no words is none.
bool ContextLog::is_mirrored() {
  if (is_mirror_ || !has_beside(info_, "wire.jsonl")) return is_mirror_;
  const auto wire = info_.beside ? info_.beside("wire.jsonl") : std::nullopt;
  const bool is_silent = wire && wire->find("\"TurnBegin\"") != std::string::npos &&
                         wire->find("\"user_input\"") == std::string::npos;
  is_mirror_ = !is_silent;
  return is_mirror_;
}

void ContextLog::read(const JsonRecord& record, const json::object& line, Sink& sink) {
  const auto role = find_string(line, "role");
  const json::value* content = find_member(line, "content");
  if (!role) {
    sink.skip({record.line, "malformed: no message of a context"});
    return;
  }
  if (*role == "_system_prompt") {
    if (is_mirrored() && place_.is_aside) {
      sink.skip({record.line, "mirror"});
      return;
    }
    begin(record.raw, sink);
    tell(record, say(content, Author::program), sink);
    return;
  }
  if (role->starts_with('_')) {
    sink.skip({record.line, "internal"});
    return;
  }
  const std::string text = *role == "user" || *role == "assistant" ? text_of(content) : "";
  if (text.starts_with(kCompacted)) {
    begin(record.raw, sink);
    const std::size_t end = text.find('\n');
    tell_compaction(record, end == std::string::npos ? "" : text.substr(end + 1), sink);
    return;
  }
  if (is_mirrored()) {
    sink.skip({record.line, "mirror"});
    return;
  }
  begin(record.raw, sink);
  if (record.parsed.inexact) {
    tell(record,
         {{.author = *role == "user" ? Author::human : Author::model,
           .body = anthropic::unknown_from_text(record.parsed.value, record.text)}},
         sink);
  } else if (*role == "user") {
    if (text.starts_with(kCheckpoint)) sink.skip({record.line, "internal"});
    else tell(record, say_prompt(content), sink);
  } else if (*role == "assistant") {
    read_answer(record, line, sink);
  } else if (*role == "tool") {
    read_result(record, line, sink);
  } else {
    tell(record, say(content, Author::program), sink);
  }
}

void ContextLog::read_answer(const JsonRecord& record, const json::object& line, Sink& sink) {
  std::vector<Said> said = say(find_member(line, "content"), Author::model);
  std::vector<std::string> spawning;
  if (const json::array* calls = find_array(line, "tool_calls")) {
    for (const json::value& value : *calls) {
      const json::object* call = value.if_object();
      if (call == nullptr) continue;
      transcript::ToolCall parsed = parse_call(*call);
      if (is_spawning(parsed.name) && !parsed.id.empty()) spawning.push_back(parsed.id);
      said.push_back({.author = Author::model, .body = std::move(parsed)});
    }
  }
  tell(record, std::move(said), sink);
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
  tell(record, {{.author = Author::tool, .body = std::move(result)}}, sink);
  if (agent && spawning_.has(call_id)) sink.spawned({.call_id = call_id, .agent = agent});
}

void ContextLog::tell(const JsonRecord& record, std::vector<Said> said, Sink& sink) {
  if (said.empty()) {
    sink.skip({record.line, "empty"});
    return;
  }
  teller_.tell({.place = "#c" + std::to_string(record.number),
                .said = std::move(said),
                .is_prompt = true,
                .model = info_.model},
               sink);
}

// The next compaction writes the file anew: what this one came to must keep its place.
void ContextLog::tell_compaction(const JsonRecord& record, std::string summary, Sink& sink) {
  if (summary.empty()) {
    sink.skip({record.line, "empty"});
    return;
  }
  constexpr std::size_t kBytes = 8;
  const Digest digest = crypto::blake3(summary);
  teller_.tell({.place = "#c" + to_hex(std::span(digest).first(kBytes)),
                .said = {{.author = Author::model,
                          .body = transcript::Compaction{.summary = std::move(summary)}}},
                .model = info_.model},
               sink);
}

json::object ContextLog::save() const {
  return {{"teller", teller_.save()}, {"spawning", spawning_.save()}, {"mirror", is_mirror_}};
}

bool ContextLog::restore(const json::object& state) {
  const auto mirror = find_bool(state, "mirror");
  if (!mirror || !teller_.restore(find_object(state, "teller")) ||
      !spawning_.restore(find_array(state, "spawning"))) {
    return false;
  }
  is_mirror_ = *mirror;
  return true;
}

}  // namespace

std::unique_ptr<Log> open_context(const SourceInfo& info) {
  return std::make_unique<ContextLog>(info);
}

}  // namespace weft::formats::kimi
