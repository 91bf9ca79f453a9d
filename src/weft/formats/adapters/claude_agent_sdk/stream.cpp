#include <algorithm>
#include <utility>

#include "weft/formats/adapters/claude_agent_sdk/claude_agent_sdk.hpp"
#include "weft/formats/apis/anthropic/requests.hpp"
#include "weft/formats/apis/anthropic/stream.hpp"
#include "weft/formats/apis/claude_code/prompt_origin.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_agent_sdk {
namespace {

using claude_code::Entry;
using claude_code::Reading;
using transcript::Author;
using transcript::Facts;
using transcript::Origin;
using transcript::Text;

constexpr std::size_t kTitleLength = 200;
constexpr std::size_t kMostPathBytes = 4096;

bool may_spawn(std::string_view tool) {
  return tool == "Task" || tool == "Agent" || tool == "Workflow";
}

bool is_error_result(const json::object& record) {
  if (find_bool(record, "is_error").value_or(false)) return true;
  return find_string(record, "subtype").value_or("").starts_with("error");
}

// What went wrong, in the words that there are.
transcript::Failure failure_of(const json::object& record) {
  transcript::Failure failure{.text = std::string(find_string(record, "result").value_or(""))};
  if (const json::array* errors = find_array(record, "errors"); failure.text.empty() && errors) {
    failure.text = claude_code::joined_text(*errors);
  }
  if (failure.text.empty()) failure.text = find_string(record, "subtype").value_or("error");
  json::object details;
  for (const char* key : {"subtype", "errors", "api_error_status", "terminal_reason"}) {
    const json::value* value = find_member(record, key);
    if (value != nullptr && !value->is_null()) details[key] = *value;
  }
  if (!details.empty()) failure.details = std::move(details);
  return failure;
}

// Of a result: the model, if there was just one.
std::optional<std::string> only_model(const json::object& record) {
  const json::object* models = find_object(record, "modelUsage");
  if (models == nullptr || models->size() != 1) return std::nullopt;
  return std::string(std::string_view(models->begin()->key()));
}

transcript::Usage sum(const transcript::Usage& a, const transcript::Usage& b) {
  const auto add = [](std::int64_t x, std::int64_t y) {
    constexpr std::int64_t kMost = 1'000'000'000'000'000;
    return std::clamp<std::int64_t>(x + y, -kMost, kMost);
  };
  return {add(a.input, b.input), add(a.output, b.output), add(a.cache_read, b.cache_read),
          add(a.cache_write, b.cache_write)};
}

}  // namespace

void Stream::read(const Entry& entry, std::string_view raw, transcript::Sink& sink) {
  const std::string_view subtype = find_string(entry.object(), "subtype").value_or("");
  if (const std::string_view reason = noise(entry.type, subtype); !reason.empty()) {
    sink.skip({entry.line, std::string(reason)});
    return;
  }
  if (entry.uuid) {
    const std::uint64_t uuid = hash_of(*entry.uuid);
    const RecordWindow::Seen* seen = records_.find(uuid);
    if (seen != nullptr && seen->fingerprint == entry.fingerprint) {
      sink.skip({entry.line, "duplicate"});
      return;
    }
    records_.add({.uuid = uuid, .fingerprint = entry.fingerprint});
  }
  if (entry.type == "system" && subtype == "init") {
    read_init(entry, sink);
  } else if (entry.type == "system" && subtype == "task_started") {
    read_task(entry, sink);
  } else if (entry.type == "conversation_reset") {
    read_reset(entry, sink);
  } else if (entry.type == "result") {
    read_result(entry, raw, sink);
  } else if (entry.type == "assistant") {
    emit(entry, claude_code::read_assistant(entry), raw, sink);
  } else if (entry.type == "user") {
    emit(entry, claude_code::read_user(entry), raw, sink);
  } else if (entry.type == "system" && find_string(entry.object(), "content")) {
    emit(entry, claude_code::read_system(entry), raw, sink);
  } else {
    emit(entry, claude_code::read_unknown(entry), raw, sink);
  }
}

void Stream::finish(transcript::Sink& sink) const {
  if (conversations_.empty() && waiting_ != Facts()) sink.skip({0, "no turns"});
}

Stream::Conversation& Stream::conversation_of(const Entry& entry, std::string_view raw) {
  if (entry.session) session_ = *entry.session;
  if (session_.empty()) session_ = session_from(raw);
  const std::string call = find_id(entry.object(), "parent_tool_use_id").value_or("");
  const auto found = std::ranges::find_if(conversations_, [&](const Conversation& one) {
    return one.session == session_ && one.call == call;
  });
  if (found != conversations_.end()) return *found;
  transcript::Heading heading{.format = std::string(kName),
                              .family = "anthropic",
                              .program = std::string(kName),
                              .provider = "anthropic",
                              .session_id = session_};
  if (!call.empty()) heading.source = "subagent:" + call;
  using People = LinearConversation::People;
  conversations_.push_back(
      {.session = session_,
       .call = call,
       .thread = LinearConversation(std::move(heading), call.empty() ? People::yes : People::no)});
  if (conversations_.size() > kMostThreads) conversations_.pop_front();
  return conversations_.back();
}

// The sink is in it, and knows where it comes from.
void Stream::enter(Conversation& conversation, transcript::Sink& sink) {
  const std::pair<std::string, std::string> name(conversation.session, conversation.call);
  if (entered_ != name) {
    entered_ = name;
    conversation.thread.enter(sink);
  }
  Facts facts;
  if (!info_.project.empty()) facts.project = info_.project;
  if (conversation.call.empty() && waiting_session_ == conversation.session) {
    facts.merge(std::exchange(waiting_, {}));
    waiting_session_.clear();
  }
  conversation.thread.note(facts, sink);
  if (conversation.thread.turn()) return;
  if (!conversation.call.empty()) {
    sink.origin({.session_id = conversation.session, .call_id = conversation.call});
  } else if (!continued_from_.empty() && continued_from_ != conversation.session) {
    sink.origin({.kind = Origin::Kind::continued,
                 .session_id = std::exchange(continued_from_, std::string())});
  }
}

// Nothing of a session is emitted before its first block.
void Stream::read_init(const Entry& entry, transcript::Sink& sink) {
  Facts facts;
  const auto cwd = find_string(entry.object(), "cwd");
  if (cwd && cwd->size() <= kMostPathBytes) facts.cwd = *cwd;
  if (const json::array* tools = find_array(entry.object(), "tools")) {
    for (const json::value& tool : *tools) {
      if (facts.tools.size() == kMostTools || !tool.is_string()) break;
      if (tool.get_string().size() <= kMaxIdBytes) {
        facts.tools.emplace_back(view(tool.get_string()));
      }
    }
  }
  if (entry.session) session_ = *entry.session;
  if (facts == Facts()) {
    sink.skip({entry.line, "startup-message"});
    return;
  }
  waiting_ = std::move(facts);
  waiting_session_ = session_;
}

void Stream::read_task(const Entry& entry, transcript::Sink& sink) {
  const auto call = find_id(entry.object(), "tool_use_id");
  const auto agent = find_id(entry.object(), "task_id");
  const std::string session = entry.session.value_or(session_);
  const auto found = std::ranges::find_if(conversations_, [&](const Conversation& one) {
    return one.session == session && one.call.empty();
  });
  // A subagent may spawn others: then the call is not the session's own.
  if (!call || !agent || found == conversations_.end() || !calls_.has(*call) ||
      !calls_.name(*call, *agent)) {
    sink.skip({entry.line, "progress"});
    return;
  }
  enter(*found, sink);
  sink.spawned({.call_id = *call, .agent = *agent});
}

void Stream::read_reset(const Entry& entry, transcript::Sink& sink) {
  continued_from_ = entry.session.value_or(session_);
  if (const auto next = find_id(entry.object(), "new_conversation_id")) session_ = *next;
  sink.skip({entry.line, "internal"});
}

void Stream::emit(const Entry& entry, Reading reading, std::string_view raw,
                  transcript::Sink& sink) {
  if (reading.is_cut_short) {
    sink.skip({entry.line, "too large: more than " + std::to_string(kMaxBlocks) + " blocks"});
  }
  if (reading.blocks.empty()) {
    sink.skip({entry.line, reading.skip.empty() ? "empty" : reading.skip});
    return;
  }
  Conversation& conversation = conversation_of(entry, raw);
  LinearConversation& thread = conversation.thread;
  enter(conversation, sink);
  const bool is_persons =
      thread.has_people() && std::ranges::any_of(reading.blocks, [](auto& authored) {
        return authored.author == Author::human;
      });
  Facts facts;
  for (claude_code::AuthoredBlock& authored : reading.blocks) {
    transcript::Block block{.author = authored.author,
                            .body = std::move(authored.body),
                            .source_id = entry.id,
                            .index = authored.index,
                            .start = authored.start,
                            .stop = authored.stop,
                            .recorded = entry.time};
    if (block.author == Author::human && !thread.has_people()) block.author = Author::program;
    if (entry.type == "assistant" && block.author != Author::program) {
      block.message_id = reading.message_id;
      if (block.author == Author::model) block.model = reading.model ? reading.model : info_.model;
    }
    const auto* text = std::get_if<Text>(&block.body);
    if (text != nullptr && block.author == Author::human && !thread.turn() &&
        !authored.is_command) {
      facts.title = one_line(text->text, kTitleLength);
    }
    std::optional<std::string> spawned;
    if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) {
      if (may_spawn(call->name) && !call->id.empty()) spawned = call->id;
    }
    thread.emit(std::move(block), is_persons, !entry.uuid, sink);
    if (spawned) {
      if (conversation.call.empty()) calls_.add(*spawned, "");
      sink.spawned({.call_id = *spawned});
    }
  }
  if (const auto task = find_string(entry.object(), "task_description"); task && !task->empty()) {
    facts.title = one_line(*task, kTitleLength);
  }
  facts.updated_at = entry.time;
  thread.note(facts, sink);
  emit_usage(entry, conversation, sink);
}

// The lines of a message repeat its usage: the one with the most output counts, once.
void Stream::emit_usage(const Entry& entry, Conversation& conversation, transcript::Sink& sink) {
  const json::object* message = find_object(entry.object(), "message");
  const json::object* usage = message == nullptr ? nullptr : find_object(*message, "usage");
  if (usage == nullptr || entry.type != "assistant") return;
  if (find_string(*message, "model") == "<synthetic>") return;
  const std::string key = find_id(*message, "id").value_or(entry.id);
  const transcript::Usage more = usage_.add(hash_of(key), anthropic::counts_of(*usage));
  conversation.running = sum(conversation.running, more);
  note_usage(conversation, sink);
  if (more == transcript::Usage()) return;
  transcript::Request request = anthropic::request_of(*message, *usage);
  request.message_id = key;
  request.time = entry.time;
  sink.request(request);
}

void Stream::note_usage(Conversation& conversation, transcript::Sink& sink) {
  Facts facts;
  facts.usage = sum(conversation.settled, conversation.running);
  conversation.thread.note(facts, sink);
}

// The result of a run: what it used in all, and what went wrong. Its words are those of the last
// answer, unless there is no other record of it.
void Stream::read_result(const Entry& entry, std::string_view raw, transcript::Sink& sink) {
  Conversation& conversation = conversation_of(entry, raw);
  const json::object& record = entry.object();
  const std::string_view words = find_string(record, "result").value_or("");
  transcript::Block block{.source_id = entry.id, .recorded = entry.time};
  bool is_emitted = true;
  if (is_error_result(record)) {
    block.author = Author::program;
    block.body = failure_of(record);
  } else if (!conversation.thread.turn() && !words.empty()) {
    block.author = Author::model;
    block.body = Text{.text = std::string(words)};
    block.model = only_model(record);
    if (!block.model) block.model = info_.model;
  } else {
    is_emitted = false;
  }
  const json::object* usage = find_object(record, "usage");
  if (!is_emitted && (usage == nullptr || !conversation.thread.turn())) {
    sink.skip({entry.line, "mirror"});
    return;
  }
  enter(conversation, sink);
  if (is_emitted) conversation.thread.emit(std::move(block), false, !entry.uuid, sink);
  if (usage == nullptr) return;
  const transcript::Usage total = anthropic::counts_of(*usage);
  // A run that failed may count nothing: the sum of its messages stays.
  const bool is_count = total.output >= conversation.running.output;
  conversation.settled = sum(conversation.settled, is_count ? total : conversation.running);
  conversation.running = {};
  note_usage(conversation, sink);
}

}  // namespace weft::formats::claude_agent_sdk
