// The model's loop in Kimi Code's log: steps, and the texts, calls and results in them.
#include "weft/formats/adapters/kimi/code.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::kimi {

using transcript::Author;
using transcript::Sink;

void CodeLog::read_event(Line at, Sink& sink) {
  const json::object* event = find_object(at.line, "event");
  const std::string_view type = event == nullptr ? "" : find_string(*event, "type").value_or("");
  if (type.empty()) {
    sink.skip({at.record.line, "malformed: no event of a loop"});
    return;
  }
  if (type == "step.begin") step_ = find_words(*event, "uuid").value_or(at.record.counted());
  at.step = find_words(*event, "stepUuid").value_or(step_);
  if (type == "content.part") {
    const json::value* part = find_member(*event, "part");
    if (const auto id = find_words(*event, "uuid")) {
      if (!seen_.add(*id)) {
        sink.skip({at.record.line, "duplicate"});
        return;
      }
      at.id = *id;
    }
    std::vector<AuthoredBlock> blocks;
    if (part != nullptr && part->is_object()) blocks = append_text(part, Author::model);
    emit(at, std::move(blocks), sink);
  } else if (type == "tool.call") {
    read_call(at, *event, sink);
  } else if (type == "tool.result") {
    read_result(at, *event, sink);
  } else if (type == "step.end") {
    if (!add_usage(*event, at.time, sink)) sink.skip({at.record.line, "progress"});
  } else if (type.starts_with("step.") || type.starts_with("llm.")) {
    sink.skip({at.record.line, "progress"});
  } else {
    emit(at,
         {{.author = Author::program,
           .body =
               transcript::Unknown{
                   .block_type = std::string(type), .raw = *event, .raw_text = std::nullopt}}},
         sink);
  }
}

// Its uuid is its toolCallId, "Bash_0": no name for a place.
void CodeLog::read_call(Line& at, const json::object& event, Sink& sink) {
  transcript::ToolCall call{.id = find_words(event, "toolCallId").value_or(""),
                            .name = find_words(event, "name").value_or(""),
                            .input = json::object()};
  if (const json::value* args = find_member(event, "args")) call.input = *args;
  call.display_text = find_words(event, "description");
  const std::string id = call.id;
  const bool spawns = is_spawning(call.name) && !id.empty();
  emit(at, {{.author = Author::model, .body = std::move(call)}}, sink);
  if (!spawns) return;
  spawning_.add(id);
  sink.spawned({.call_id = id});
}

void CodeLog::read_result(Line& at, const json::object& event, Sink& sink) {
  transcript::ToolResult result{.call_id = find_words(event, "toolCallId").value_or("")};
  if (const json::object* value = find_object(event, "result")) {
    result.is_error = find_bool(*value, "isError").value_or(false);
    set_output(result, find_member(*value, "output"));
    if (const auto note = find_words(*value, "note")) {
      if (result.text.empty()) result.text = *note;
      else if (!result.details) result.details = json::object{{"note", *note}};
    }
  }
  const auto agent = spawned_agent(result);
  const std::string call_id = result.call_id;
  emit(at, {{.author = Author::tool, .body = std::move(result)}}, sink);
  if (agent && spawning_.has(call_id)) sink.spawned({.call_id = call_id, .agent = agent});
}

}  // namespace weft::formats::kimi
