// Kimi Code's agents/<agent>/wire.jsonl: {"type": "context.append_message", …, "time"} in each
// line. What people say is in messages, what the model does in the events of its loop:
//
//   {"type": "context.append_message", "message": {"role": "user", "content": [parts],
//    "origin": {"kind": "user"}}}
//   {"type": "context.append_loop_event", "event": {"type": "content.part", "uuid", "stepUuid",
//    "part"}}                                 and tool.call, tool.result, step.begin, step.end
//
// A prompt is also there as turn.prompt, before the message; in some logs it is there alone. So
// it is emitted when it comes first; the repetition is a mirror.
#include "weft/formats/adapters/kimi/code.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/unix_time.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Author;
using transcript::Sink;

constexpr std::array<std::string_view, 5> kProgress = {
    "turn.ended", "turn.cancel", "full_compaction.begin", "full_compaction.complete",
    "full_compaction.cancel"};
// Families of lines that set up the program, and say nothing.
constexpr std::array<std::string_view, 14> kInternal = {
    "config.",  "tools.",   "permission.", "plan_mode.",      "llm.",  "profile.", "plugin.",
    "runtime.", "session.", "mcp.",        "token_counting.", "goal.", "todo.",    "swarm_mode."};

bool begins_with_any(std::string_view type, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view one) { return type.starts_with(one); });
}

// Whether a person wrote it. A slash command is typed, though a skill replaces it.
bool is_persons(const json::object& line) {
  const json::object* origin = find_object(line, "origin");
  const auto kind = origin == nullptr ? std::nullopt : find_string(*origin, "kind");
  if (!kind || *kind == "user") return true;
  return *kind == "skill_activation" && find_string(*origin, "trigger") == "user-slash" &&
         find_string(line, "type") == "turn.prompt";
}

}  // namespace

CodeLog::CodeLog(const SourceInfo& info)
    : info_(info), place_(place_of(Kind::code, info)), model_(info.model.value_or("")) {}

void CodeLog::begin(std::string_view raw, Sink& sink) {
  if (!builder_.has_begun()) {
    builder_.begin(heading_of(place_, kCodeProgram, raw), sink);
    if (const auto origin = origin_of(place_)) sink.origin(*origin);
    if (!info_.project.empty()) sink.facts({.project = info_.project});
  }
  if (has_looked_ || !place_.agent.empty()) return;
  has_looked_ = true;
  const transcript::Facts facts = facts_beside(info_, "../../state.json");
  if (facts == known_ || facts == transcript::Facts()) return;
  known_ = facts;
  builder_.resume(sink);
  sink.facts(facts);
}

void CodeLog::read(const JsonRecord& record, const json::object& line, Sink& sink) {
  const std::string_view type = find_string(line, "type").value_or("");
  if (type == "metadata") {
    // Of all lines that may come first, this one is of this session alone.
    if (first_.empty()) first_ = session_from(record.raw);
    sink.skip({record.line, "metadata"});
    return;
  }
  if (type.empty()) {
    sink.skip({record.line, "malformed: no line of a wire"});
    return;
  }
  if (place_.session.empty() && !first_.empty()) place_.session = first_;
  begin(record.raw, sink);
  const Line at{.record = record, .line = line, .time = find_unix_time(line, "time")};
  if (record.parsed.inexact) {
    emit(at,
         {{.author = Author::program,
           .body = anthropic::unknown_from_text(record.parsed.value, record.text)}},
         sink);
  } else if (type == "context.append_message") {
    read_message(at, sink);
  } else if (type == "context.append_loop_event") {
    read_event(at, sink);
  } else if (type == "turn.prompt" || type == "turn.steer") {
    read_prompt(at, type == "turn.prompt", sink);
  } else if (type == "context.apply_compaction") {
    const auto summary = find_words(line, "summary");
    emit(at,
         {{.author = Author::model,
           .body = transcript::Compaction{.summary = summary.value_or("")}}},
         sink);
  } else if (type == "config.update") {
    read_config(at, sink);
  } else if (type == "tools.set_active_tools") {
    read_tools(at, sink);
  } else if (type == "llm.request") {
    if (const auto model = find_words(line, "model")) model_ = *model;
    sink.skip({record.line, "internal"});
  } else if (type == "usage.record") {
    // A turn's usage repeats that of its steps; a session's is a compaction's.
    if (find_string(line, "usageScope") == "session" && add_usage(line, at.time, sink)) return;
    sink.skip({record.line, "mirror"});
  } else if (type == "permission.record_approval_result") {
    const json::object* result = find_object(line, "result");
    const auto feedback = result == nullptr ? std::nullopt : find_words(*result, "feedback");
    if (!feedback) sink.skip({record.line, "internal"});
    else
      emit(
          at,
          {{.author = Author::human, .body = transcript::Text{.text = *feedback, .citations = {}}}},
          sink);
  } else if (std::ranges::find(kProgress, type) != kProgress.end()) {
    sink.skip({record.line, "progress"});
  } else if (begins_with_any(type, kInternal)) {
    sink.skip({record.line, "internal"});
  } else if (type.starts_with("context.")) {
    sink.skip({record.line, "internal"});  // cleared, undone, marked: the messages stay
  } else {
    emit(at,
         {{.author = Author::program,
           .body =
               transcript::Unknown{
                   .block_type = std::string(type), .raw = line, .raw_text = std::nullopt}}},
         sink);
  }
}

void CodeLog::read_prompt(const Line& at, bool begins_turn, Sink& sink) {
  const json::value* input = find_member(at.line, "input");
  if (input == nullptr) {
    sink.skip({at.record.line, "mirror"});
    return;
  }
  if (begins_turn) expected_.clear();
  expected_.push_back(session_from(canonical_json(*input)));
  if (expected_.size() > kMostExpected) expected_.pop_front();
  emit_prompt(at, input, is_persons(at.line), sink);
}

void CodeLog::emit_prompt(const Line& at, const json::value* content, bool is_person, Sink& sink) {
  std::vector<AuthoredBlock> blocks =
      is_person ? append_prompt(content) : append_text(content, Author::program);
  emit(at, std::move(blocks), sink);
}

void CodeLog::read_message(const Line& at, Sink& sink) {
  const json::object* message = find_object(at.line, "message");
  const std::string_view role =
      message == nullptr ? "" : find_string(*message, "role").value_or("");
  if (role.empty()) {
    sink.skip({at.record.line, "malformed: no message"});
    return;
  }
  const json::value* content = find_member(*message, "content");
  if (role == "user") {
    const std::string name = content == nullptr ? "" : session_from(canonical_json(*content));
    const auto expected = std::ranges::find(expected_, name);
    if (expected != expected_.end()) {
      expected_.erase(expected);
      sink.skip({at.record.line, "mirror"});
      return;
    }
    emit_prompt(at, content, is_persons(*message), sink);
  } else if (role == "assistant") {
    std::vector<AuthoredBlock> blocks = append_text(content, Author::model);
    const json::array* calls = find_array(*message, "toolCalls");
    for (std::size_t i = 0; calls != nullptr && i < calls->size(); ++i) {
      const json::object* call = (*calls)[i].if_object();
      if (call != nullptr) blocks.push_back({.author = Author::model, .body = parse_call(*call)});
    }
    emit(at, std::move(blocks), sink);
  } else if (role == "tool") {
    transcript::ToolResult result{.call_id = find_words(*message, "toolCallId").value_or("")};
    set_output(result, content);
    emit(at, {{.author = Author::tool, .body = std::move(result)}}, sink);
  } else {
    emit(at, append_text(content, Author::program), sink);
  }
}

void CodeLog::read_config(const Line& at, Sink& sink) {
  bool is_emitted = false;
  if (const auto alias = find_words(at.line, "modelAlias"); alias && model_.empty())
    model_ = *alias;
  if (const auto cwd = find_words(at.line, "cwd"); cwd && cwd != known_.cwd) {
    known_.cwd = cwd;
    builder_.resume(sink);
    sink.facts({.cwd = cwd});
    is_emitted = true;
  }
  if (const auto prompt = find_words(at.line, "systemPrompt")) {
    const std::string name = session_from(*prompt);
    if (name != system_prompt_) {
      system_prompt_ = name;
      emit(
          at,
          {{.author = Author::program, .body = transcript::Text{.text = *prompt, .citations = {}}}},
          sink);
      is_emitted = true;
    } else if (!is_emitted) {
      sink.skip({at.record.line, "duplicate"});
      return;
    }
  }
  if (!is_emitted) sink.skip({at.record.line, "internal"});
}

void CodeLog::read_tools(const Line& at, Sink& sink) {
  const json::array* names = find_array(at.line, "names");
  transcript::Facts facts;
  for (std::size_t i = 0; names != nullptr && i < std::min(names->size(), kMostTools); ++i) {
    const json::string* name = (*names)[i].if_string();
    if (name != nullptr) facts.tools.emplace_back(view(*name));
  }
  if (facts.tools.empty()) {
    sink.skip({at.record.line, "internal"});
    return;
  }
  builder_.resume(sink);
  sink.facts(facts);
}

bool CodeLog::add_usage(const json::object& object, std::optional<Millis> time, Sink& sink) {
  const auto usage = find_usage(object, "usage");
  if (!usage) return false;
  usage_.add(*usage);
  builder_.resume(sink);
  sink.facts({.usage = usage_.sum()});
  transcript::Request request = to_request(*usage, CachedInput::apart);
  request.model = model_;
  request.time = time;
  sink.request(request);
  return true;
}

void CodeLog::emit(const Line& at, std::vector<AuthoredBlock> authored, Sink& sink) {
  if (authored.empty()) {
    sink.skip({at.record.line, "empty"});
    return;
  }
  const std::string counted = at.record.counted();
  builder_.emit({.place = at.id.empty() ? counted : at.id,
                 .blocks = std::move(authored),
                 .is_prompt = true,
                 .time = at.time,
                 .model = model_.empty() ? std::nullopt : std::optional(model_),
                 .message_id = at.step.empty() ? counted : at.step},
                sink);
}

void CodeLog::archive(StateArchive& a) {
  a.field("teller", builder_);
  usage_.archive(a, "usage");
  seen_.archive(a, "seen");
  spawning_.archive(a, "spawning");
  a.field("model", model_);
  a.field("step", step_);
  a.field("system", system_prompt_);
  a.field("first", first_);
  a.field("expected", expected_, kMostExpected);
  a.optional("title", known_.title);
  a.optional("cwd", known_.cwd);
}

std::unique_ptr<Log> open_code(const SourceInfo& info) { return std::make_unique<CodeLog>(info); }

}  // namespace weft::formats::kimi
