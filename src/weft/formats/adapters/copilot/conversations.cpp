// Assigns events to the session or to a subagent, joins messages that come in chunks, and lists the
// saved fields.
#include <algorithm>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/copilot/session.hpp"
#include "weft/formats/reading/inexact_record.hpp"

namespace weft::formats::copilot {
namespace {

using transcript::Sink;

std::string session_in_path(const SourceInfo& info) {
  // Where no event says it: the folder of events.jsonl, or the file's own name.
  std::string_view name = info.name;
  constexpr std::string_view kSuffix = ".jsonl";
  if (!name.ends_with(kSuffix)) return {};
  name.remove_suffix(kSuffix.size());
  if (name != "events") return std::string(name);
  const std::size_t slash = info.directory.find_last_of("/\\");
  return info.directory.substr(slash == std::string::npos ? 0 : slash + 1);
}

}  // namespace

void Session::begin(std::string_view session, std::string_view raw, Sink& sink) {
  if (main_.builder.has_begun()) return;
  std::string id(session);
  if (id.empty()) id = session_in_path(info_);
  if (id.empty()) id = session_from(raw);
  main_.builder.begin({.format = std::string(kName),
                       .family = "github",
                       .program = "copilot-cli",
                       .provider = {},
                       .session_id = std::move(id)},
                      sink);
  entered_ = &main_;
  if (!info_.project.empty()) sink.facts({.project = info_.project});
  emit_name(sink);
}

// The name that Copilot gives a session after a while stands beside it only.
void Session::emit_name(Sink& sink) {
  if (!info_.beside || info_.name != "events.jsonl") return;
  const auto yaml = info_.beside("workspace.yaml");
  std::string storage;
  std::size_t repairs = 0;
  const std::string name = yaml ? name_in(repair_utf8(*yaml, storage, repairs)) : std::string();
  if (name.empty() || name == title_) return;
  title_ = name;
  enter(main_, sink);
  sink.facts({.title = title_});
}

void Session::enter(Conversation& conversation, Sink& sink) {
  if (entered_ != nullptr && entered_ != &conversation) entered_->builder.leave();
  entered_ = &conversation;
  conversation.builder.resume(sink);
}

Session::Conversation& Session::conversation_of(const Event& event, Sink& sink) {
  if (event.call.empty() && event.agent.empty()) return main_;
  const auto found = std::ranges::find_if(subagents_, [&](const Conversation& one) {
    return event.call.empty() ? one.agent == event.agent : one.call == event.call;
  });
  if (found != subagents_.end()) return *found;
  return add_subagent(std::string(event.call), std::string(event.agent), main_, sink);
}

Session::Conversation& Session::add_subagent(std::string call, std::string agent,
                                             Conversation& caller, Sink& sink) {
  transcript::Heading heading = main_.builder.heading();
  heading.source = "subagent:" + (call.empty() ? agent : call);
  transcript::Origin origin{.session_id = heading.session_id};
  if (!call.empty()) {
    enter(caller, sink);
    sink.spawned({.call_id = call});
    origin.call_id = call;
  } else {
    origin.agent = agent;
  }
  if (subagents_.size() == kMostSubagents) {
    if (entered_ == &subagents_.front()) entered_ = nullptr;
    subagents_.pop_front();
  }
  Conversation& added =
      subagents_.emplace_back(Conversation{.call = std::move(call), .agent = std::move(agent)});
  if (entered_ != nullptr) entered_->builder.leave();
  entered_ = &added;
  added.builder.begin(std::move(heading), sink);
  sink.origin(origin);
  return added;
}

bool Session::is_next_chunk(const Event& event) const {
  return pending_ && event.type == "assistant.message" && event.call == pending_->call &&
         event.agent == pending_->agent &&
         find_string(*event.data, "messageId") == find_string(pending_->data, "messageId");
}

// A long message comes as several events, each with a piece of its words; it is one block of
// each kind all the same, in the place of its first event.
void Session::read_message(const Event& event, const JsonRecord& record, Sink& sink) {
  const std::int64_t count = find_int(*event.data, "chunkCount").value_or(0);
  const std::int64_t index = find_int(*event.data, "chunkIndex").value_or(0);
  const bool has_name = !find_string(*event.data, "messageId").value_or("").empty();
  begin("", record.raw, sink);
  if (count <= 1 || !has_name) {
    const std::string_view inexact = record.parsed.inexact ? record.text : std::string_view();
    if (message_blocks(*event.data, false).empty()) return sink.skip({record.line, "empty"});
    return emit_message(event, place_of(event, record), inexact, sink);
  }
  std::string place = place_of(event, record);
  if (!pending_) {
    pending_ = PendingEvent{.place = std::move(place),
                            .call = std::string(event.call),
                            .agent = std::string(event.agent),
                            .type = std::string(event.type),
                            .time = event.time,
                            .data = *event.data};
  } else {
    for (const char* key : {"content", "reasoningText", "reasoningOpaque", "encryptedContent"}) {
      const auto more = find_string(*event.data, key);
      if (!more || more->empty()) continue;
      pending_->data[key] =
          std::string(find_string(pending_->data, key).value_or("")) + std::string(*more);
    }
    if (const json::array* more = find_array(*event.data, "toolRequests")) {
      json::value& all = pending_->data["toolRequests"];
      if (!all.is_array()) all.emplace_array();
      for (const json::value& request : *more) all.get_array().push_back(request);
    }
    const std::int64_t output = std::max(find_int(pending_->data, "outputTokens").value_or(0),
                                         find_int(*event.data, "outputTokens").value_or(0));
    if (output > 0) pending_->data["outputTokens"] = output;
  }
  if (record.parsed.inexact) pending_->inexact += std::string(record.text) + "\n";
  std::size_t bytes = pending_->inexact.size();
  for (const char* key : {"content", "reasoningText", "reasoningOpaque", "encryptedContent"}) {
    bytes += find_string(pending_->data, key).value_or("").size();
  }
  if (index + 1 >= count || bytes > kMaxPendingBytes) flush(sink);
}

void Session::flush(Sink& sink) {
  if (!pending_) return;
  const PendingEvent pending = *std::exchange(pending_, std::nullopt);
  const Event event{.type = pending.type,
                    .id = pending.place,
                    .data = &pending.data,
                    .time = pending.time,
                    .call = pending.call,
                    .agent = pending.agent};
  emit_message(event, pending.place, pending.inexact, sink);
}

void Session::emit_message(const Event& event, std::string place, std::string_view inexact,
                           Sink& sink) {
  const json::object& data = *event.data;
  const std::string_view thought = reasoning_of(data);
  const bool is_emitted = !thought.empty() && !note_reasoning(event, thought);
  RecordContent content{.place = std::move(place), .blocks = message_blocks(data, is_emitted)};
  if (const auto id = find_string(data, "messageId"); id && !id->empty()) content.message_id = *id;
  if (!inexact.empty()) keep_exact(content.blocks, event.type, inexact);
  if (!content.blocks.empty()) emit(event, std::move(content), sink);
  const std::int64_t output = find_int(data, "outputTokens").value_or(0);
  if (output <= 0) return;
  Conversation& conversation = conversation_of(event, sink);
  conversation.running.add({.output = output});
  UsageSum total = conversation.settled;
  total.add(conversation.running.sum());
  enter(conversation, sink);
  sink.facts({.usage = total.sum()});
}

void Session::finish(Sink& sink) {
  flush(sink);
  if (main_.builder.has_begun()) emit_name(sink);
}

void Session::Conversation::archive(StateArchive& a) {
  a.lenient("call", call);
  a.lenient("agent", agent);
  a.field("teller", builder);
  settled.archive(a, "settled");
  running.archive(a, "running");
}

void Session::PendingEvent::archive(StateArchive& a) {
  a.lenient("place", place);
  a.lenient("call", call);
  a.lenient("agent", agent);
  a.lenient("type", type);
  a.optional("time", time);
  a.field("data", data);
  a.lenient("inexact", inexact);
}

void Session::archive(StateArchive& a) {
  a.field("main", main_);
  a.field("subagents", subagents_);
  a.lenient("title", title_);
  a.optional("model", model_);
  a.optional("held", pending_);
  ids_.archive(a, "ids");
  texts_.archive(a, "texts");
  calls_.archive(a, "calls");
  reasoning_.archive(a, "reasoning");
  const auto has_begun = [](const Conversation& one) { return one.builder.has_begun(); };
  a.check(has_begun(main_) || (subagents_.empty() && !pending_));
  a.check(std::ranges::all_of(subagents_, has_begun));
  if (!a.is_writing()) entered_ = nullptr;
}

}  // namespace weft::formats::copilot
