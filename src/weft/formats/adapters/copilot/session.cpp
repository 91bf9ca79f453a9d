#include "weft/formats/adapters/copilot/session.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/reading/inexact_record.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::copilot {
namespace {

using transcript::Author;
using transcript::Facts;
using transcript::Sink;
using transcript::Text;

constexpr std::size_t kTitleLength = 200;

// "auto" is no model.
std::optional<std::string> model_in(const json::object& data, std::string_view key) {
  auto model = find_words(data, key);
  if (model == "auto") return std::nullopt;
  return model;
}

// By what an event is known again: it begins with its type and ends with its id and time, so
// that of a long one both ends will do.
std::string print_of(std::string_view text) {
  constexpr std::size_t kEnd = 2048;
  if (text.size() <= 2 * kEnd) return std::string(text);
  std::string print(text.substr(0, kEnd));
  print += text.substr(text.size() - kEnd);
  return print + std::to_string(text.size());
}

}  // namespace

void Session::read(const JsonRecord& record, Sink& sink) {
  const json::object* object = record.object();
  if (object == nullptr) return sink.skip({record.line, "malformed: not an object"});
  const auto event = event_of(*object);
  if (!event) return sink.skip({record.line, "malformed: not an event"});
  const std::string print = print_of(record.text);
  if (!texts_.add(print)) return sink.skip({record.line, "duplicate"});
  if (pending_ && !is_next_chunk(*event)) flush(sink);
  if (const std::string_view reason = noise(event->type); !reason.empty()) {
    return sink.skip({record.line, std::string(reason)});
  }
  read_event(*event, record, sink);
}

void Session::read_event(const Event& event, const JsonRecord& record, Sink& sink) {
  const std::string_view type = event.type;
  if (type == "session.start" || type == "session.resume" || type == "session.context_changed") {
    return read_start(event, record, sink);
  }
  if (type == "session.model_change" || type == "assistant.turn_start") {
    const auto model = model_in(*event.data, type == "session.model_change" ? "newModel" : "model");
    if (model && event.call.empty() && event.agent.empty()) model_ = model;
    return sink.skip({record.line, type == "session.model_change" ? "internal" : "progress"});
  }
  if (type == "session.shutdown") return read_shutdown(event, record, sink);
  if (type == "session.title_changed") return read_title(event, record, sink);
  if (type == "subagent.started" || type == "subagent.failed") {
    return read_subagent(event, record, sink);
  }
  if (type == "assistant.message") return read_message(event, record, sink);
  if (type == "tool.execution_start") {
    const auto call = find_words(*event.data, "toolCallId");
    if (call && !calls_.add(*call)) return sink.skip({record.line, "mirror"});
  }
  if (type == "assistant.reasoning") {
    const auto thought = find_words(*event.data, "content");
    if (thought && !note_reasoning(event, *thought)) return sink.skip({record.line, "mirror"});
  }
  std::vector<AuthoredBlock> authored = authored_by(event);
  if (authored.empty()) {
    const bool is_boundary = type == "session.compaction_complete";
    return sink.skip({record.line, is_boundary ? "compact-boundary" : "empty"});
  }
  if (record.parsed.inexact) keep_exact(authored, type, record.text);
  begin("", record.raw, sink);
  emit(event,
       {.place = place_of(event, record),
        .blocks = std::move(authored),
        .is_prompt = type == "user.message"},
       sink);
}

// What all other events say.
std::vector<AuthoredBlock> Session::authored_by(const Event& event) const {
  const json::object& data = *event.data;
  const std::string_view type = event.type;
  std::vector<AuthoredBlock> blocks;
  const auto add_words = [&](Author author, std::string_view key) {
    if (auto words = find_words(data, key)) {
      blocks.push_back({.author = author, .body = Text{.text = *std::move(words)}});
    }
  };
  if (type == "user.message") {
    // "skill-pdf", "system" and the like are sources of what the harness says for a person.
    const auto source = find_words(data, "source");
    const bool is_person =
        event.call.empty() && event.agent.empty() && (!source || *source == "user");
    return prompt_blocks(data, is_person ? Author::human : Author::program);
  }
  if (type == "assistant.reasoning") {
    if (auto words = find_words(data, "content")) {
      blocks.push_back(
          {.author = Author::model, .body = transcript::Thinking{.text = *std::move(words)}});
    }
  } else if (type == "tool.execution_start") {
    blocks.push_back(call_block(data));
  } else if (type == "tool.execution_complete") {
    blocks.push_back(result_block(data));
  } else if (type == "session.error") {
    blocks.push_back(failure_block(data));
  } else if (type == "session.compaction_complete") {
    if (auto summary = find_words(data, "summaryContent")) {
      blocks.push_back({.author = Author::model,
                        .body = transcript::Compaction{.summary = *std::move(summary)}});
    }
  } else if (type == "session.task_complete") {
    if (auto summary = find_words(data, "summary")) {
      blocks.push_back(
          {.author = Author::model, .body = transcript::Summary{.text = *std::move(summary)}});
    }
  } else if (type == "system.message" || type == "system.notification" || type == "skill.invoked") {
    add_words(Author::program, "content");
  } else {
    blocks.push_back({.author = Author::program,
                      .body = transcript::Unknown{.block_type = std::string(type), .raw = data}});
  }
  return blocks;
}

void Session::emit(const Event& event, RecordContent content, Sink& sink) {
  Conversation& conversation = conversation_of(event, sink);
  enter(conversation, sink);
  const bool is_main = &conversation == &main_;
  content.time = event.time;
  content.model = model_in(*event.data, "model");
  if (!content.model && is_main) content.model = model_;
  if (!content.model) content.model = info_.model;
  Facts facts{.updated_at = event.time};
  for (const AuthoredBlock& block : content.blocks) {
    const auto* text = std::get_if<Text>(&block.body);
    if (is_main && title_.empty() && block.author == Author::human && text != nullptr) {
      title_ = one_line(text->text, kTitleLength);
      facts.title = title_;
    }
    if (const auto* call = std::get_if<transcript::ToolCall>(&block.body);
        call && !call->id.empty()) {
      calls_.add(call->id);
    }
  }
  conversation.builder.emit(std::move(content), sink);
  if (facts != Facts{}) sink.facts(facts);
}

void Session::read_start(const Event& event, const JsonRecord& record, Sink& sink) {
  const json::object& data = *event.data;
  begin(find_string(data, "sessionId").value_or(""), record.raw, sink);
  if (const auto model = model_in(data, "selectedModel")) model_ = model;
  // A change of the context has it as the data itself.
  const json::object* context = find_object(data, "context");
  if (context == nullptr) context = &data;
  Facts facts{.updated_at = event.time};
  facts.cwd = find_words(*context, "cwd");
  facts.git_branch = find_words(*context, "branch");
  enter(main_, sink);
  sink.facts(facts);
}

void Session::read_title(const Event& event, const JsonRecord& record, Sink& sink) {
  const auto title = find_words(*event.data, "title");
  if (!title) return sink.skip({record.line, "internal"});
  begin("", record.raw, sink);
  title_ = *title;
  enter(main_, sink);
  sink.facts({.title = title_, .updated_at = event.time});
}

void Session::read_shutdown(const Event& event, const JsonRecord& record, Sink& sink) {
  const auto usage = segment_usage(*event.data);
  if (!usage || !main_.builder.has_begun()) return sink.skip({record.line, "internal"});
  // A segment that broke off may count nothing: the sum of its messages stays.
  const bool is_count = usage->output >= main_.running.sum().output;
  main_.settled.add(is_count ? *usage : main_.running.sum());
  main_.running = {};
  enter(main_, sink);
  sink.facts({.usage = main_.settled.sum(), .updated_at = event.time});
}

void Session::read_subagent(const Event& event, const JsonRecord& record, Sink& sink) {
  const json::object& data = *event.data;
  const std::string call = find_words(data, "toolCallId").value_or("");
  if (call.empty() && event.agent.empty()) return sink.skip({record.line, "internal"});
  begin("", record.raw, sink);
  const auto is_it = [&](const Conversation& one) {
    return call.empty() ? one.agent == event.agent : one.call == call;
  };
  auto found = std::ranges::find_if(subagents_, is_it);
  if (found == subagents_.end()) {
    // The agent that the event names is the new one, unless it is known: then it is the caller.
    const auto caller = std::ranges::find_if(subagents_, [&](const Conversation& one) {
      return (!event.call.empty() && one.call == event.call) ||
             (!event.agent.empty() && one.agent == event.agent);
    });
    const bool is_nested = caller != subagents_.end();
    add_subagent(call, is_nested ? "" : std::string(event.agent), is_nested ? *caller : main_,
                 sink);
    found = std::prev(subagents_.end());
  } else if (found->agent.empty()) {
    found->agent = event.agent;
  }
  enter(*found, sink);
  if (event.type == "subagent.started") {
    auto title = find_words(data, "agentDisplayName");
    if (!title) title = find_words(data, "agentName");
    sink.facts({.title = std::move(title), .updated_at = event.time});
    return;
  }
  RecordContent content{
      .place = place_of(event, record), .blocks = {failure_block(data)}, .is_answer = true};
  content.time = event.time;
  if (record.parsed.inexact) keep_exact(content.blocks, event.type, record.text);
  found->builder.emit(std::move(content), sink);
}

// Reasoning stands in an event of its own, and again in its message.
bool Session::note_reasoning(const Event& event, std::string_view thought) {
  std::string key = std::string(event.call) + "\n" + std::string(event.agent) + "\n";
  key += thought;
  return reasoning_.add(key);
}

std::string Session::place_of(const Event& event, const JsonRecord& record) {
  const bool is_named = !event.id.empty() && !event.id.starts_with('#') && ids_.add(event.id);
  return is_named ? std::string(event.id) : record.counted();
}

}  // namespace weft::formats::copilot
