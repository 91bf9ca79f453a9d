// Parts and rows on their way to the sink, those that still grow included.
#include <algorithm>
#include <utility>

#include "weft/formats/adapters/opencode/conversation.hpp"
#include "weft/formats/reading/inexact_record.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::opencode {
namespace {

using transcript::Author;
using transcript::Role;
using transcript::Sink;
using transcript::Usage;

Usage sum(Usage one, const Usage& other) {
  one.input += other.input;
  one.output += other.output;
  one.cache_read += other.cache_read;
  one.cache_write += other.cache_write;
  return one;
}

}  // namespace

std::string Conversation::add_part(const json::object& part, const Place& place, Sink& sink) {
  begin(sink);
  const std::string_view message =
      place.message.empty() ? find_string(part, "messageID").value_or("") : place.message;
  return emit_part(part, message_of(message, part), place, sink);
}

std::string Conversation::emit_part(const json::object& part, Message& message, const Place& place,
                                    Sink& sink) {
  const std::string_view type = find_string(part, "type").value_or("");
  std::string name = text_in(part, "id");
  if (name.empty() || name.starts_with('#')) name = place.name;
  if (!emitted_.add(name)) return "duplicate";
  message.has_parts = true;
  if (type == "step-finish") {
    const Usage used = usage_of(find_object(part, "tokens"));
    const Usage before = message.steps == Usage{} ? message.own : message.steps;
    message.steps = sum(message.steps, used);
    return recount(message, before, sink) ? "" : "progress";
  }
  mark_step(part, name, message);
  Reading reading = read_part(part, voice_of(message));
  if (reading.blocks.empty()) return reading.skip;
  if (!place.inexact.empty()) keep_exact(reading.blocks, type, place.inexact);
  RecordContent content{
      .place = std::move(name), .blocks = std::move(reading.blocks), .is_prompt = true};
  if (!message.time) content.time = place.time;
  emit(std::move(content), message, sink);
  for (const transcript::Spawned& spawned : reading.spawned) sink.spawned(spawned);
  return {};
}

// A step is what the model says in one go. Messages of old hold several, each begun by its own
// part; and words that were begun when a call had its result are not of the call's step.
void Conversation::mark_step(const json::object& part, std::string_view place, Message& message) {
  const std::string_view type = find_string(part, "type").value_or("");
  const auto begin_step = [&] {
    message.step = std::string(place);
    message.answered.reset();
  };
  if (type == "step-start" && std::exchange(message.has_steps, true)) return begin_step();
  const json::object* state = find_object(part, "state");
  const json::object* time =
      find_object(type == "tool" && state != nullptr ? *state : part, "time");
  if (type == "tool" && state != nullptr && is_final(part)) {
    message.answered = time == nullptr ? 0 : find_time(*time, "end").value_or(0);
  }
  if ((type == "text" || type == "reasoning") && message.answered) {
    const auto start = time == nullptr ? std::nullopt : find_time(*time, "start");
    if (!start || *start >= *message.answered) begin_step();
  }
}

std::string Conversation::add_row(const json::object& row, const Place& place, Sink& sink) {
  begin(sink);
  std::string id = text_in(row, "id");
  if (id.empty() || id.starts_with('#')) id = place.name;
  if (!emitted_.add(id)) return "duplicate";
  const std::string_view type = find_string(row, "type").value_or("");
  if (!messages_.empty()) settle(messages_.back(), sink);
  if (messages_.size() == kMostMessages) messages_.pop_front();
  Message& message = messages_.emplace_back(Message{.id = id});
  if (type != "assistant") message.role = Role::human;
  message.is_known = message.is_ended = message.has_parts = true;
  if (const json::object* model = find_object(row, "model")) {
    if (const auto id_of_model = find_string(*model, "id")) message.model = *id_of_model;
  }
  if (const json::object* time = find_object(row, "time"))
    message.time = find_time(*time, "created");
  message.own = usage_of(find_object(row, "tokens"));
  recount(message, {}, sink);
  Reading reading = read_row(row, voice_of(message));
  if (reading.blocks.empty()) return reading.skip;
  if (!place.inexact.empty()) keep_exact(reading.blocks, type, place.inexact);
  // What follows a result is another step. Calls that follow it were made along with its own.
  std::vector<std::vector<AuthoredBlock>> steps(1);
  bool has_result = false;
  for (AuthoredBlock& authored : reading.blocks) {
    const bool is_call = std::holds_alternative<transcript::ToolCall>(authored.body);
    if (has_result && authored.author == Author::model && !is_call) {
      steps.emplace_back();
      has_result = false;
    }
    has_result = has_result || std::holds_alternative<transcript::ToolResult>(authored.body);
    steps.back().push_back(std::move(authored));
  }
  std::uint32_t index = 0;
  for (std::vector<AuthoredBlock>& authored : steps) {
    RecordContent content{.place = id, .blocks = std::move(authored), .is_prompt = type == "user"};
    content.first_index = index;
    index += static_cast<std::uint32_t>(content.blocks.size());
    emit(std::move(content), message, sink);
    message.step = id + "/" + std::to_string(index);
  }
  for (const transcript::Spawned& spawned : reading.spawned) sink.spawned(spawned);
  return {};
}

std::string Conversation::add_growing(const json::object& part, const Place& place, Sink& sink) {
  begin(sink);
  const std::string id = text_in(part, "id");
  if (id.empty()) return add_part(part, place, sink);
  if (emitted_.has(id)) return "mirror";
  Message& message = message_of(find_string(part, "messageID").value_or(""), part);
  message.has_parts = true;
  const auto found = std::ranges::find(pending_, id, &PendingEvent::id);
  PendingEvent pending{.id = id,
                       .message = message.id,
                       .part = part,
                       .is_done = is_final(part),
                       .time = place.time,
                       .inexact = std::string(place.inexact)};
  pending.bytes = id.size() + canonical_json(part).size() + pending.inexact.size();
  const bool is_new = found == pending_.end();
  const bool is_done = pending.is_done;
  if (is_new) pending_.push_back(std::move(pending));
  else *found = std::move(pending);
  // A later version replaces it.
  std::string skip = is_done ? read_part(part, voice_of(message)).skip : "progress";
  if (is_done && find_object(part, "tokens") != nullptr) skip.clear();
  emit_pending(message.is_ended, message.id, sink);
  return skip;
}

void Conversation::add_delta(const json::object& delta) {
  const auto found =
      std::ranges::find(pending_, find_string(delta, "partID").value_or(""), &PendingEvent::id);
  if (found == pending_.end() || find_string(delta, "field") != "text") return;
  const std::string_view more = find_string(delta, "delta").value_or("");
  json::value* text = found->part.if_contains("text");
  if (found->bytes + more.size() > kMaxPendingBytes || text == nullptr || !text->is_string())
    return;
  text->get_string().append(json::string_view(more.data(), more.size()));
  found->bytes += more.size();
}

// In the order in which they began. `all` of a message, or those that are done with none before
// them that is not.
void Conversation::emit_pending(bool all, std::string_view message, Sink& sink) {
  std::size_t bytes = 0;
  for (const PendingEvent& pending : pending_) bytes += pending.bytes;
  const bool is_full = pending_.size() > kMaxPending || bytes > kMaxPendingBytes;
  bool is_blocked = false;
  for (auto pending = pending_.begin(); pending != pending_.end();) {
    const bool is_asked = all && pending->message == message;
    const bool is_free = pending->is_done && (!is_blocked || is_full);
    const bool is_first_of_many = pending_.size() > 2 * kMaxPending;
    if (!is_asked && !is_free && !is_first_of_many) {
      is_blocked = true;
      ++pending;
      continue;
    }
    const PendingEvent one = std::move(*pending);
    pending = pending_.erase(pending);
    // Messages come and go elsewhere only: others hold on to them.
    const auto known = std::ranges::find(messages_, one.message, &Message::id);
    Message lost{.id = one.message};
    emit_part(one.part, known == messages_.end() ? lost : *known,
              {.name = one.id, .time = one.time, .inexact = one.inexact}, sink);
  }
}

void Conversation::flush(Sink& sink) {
  if (!builder_.has_begun() || (pending_.empty() && messages_.empty())) return;
  const Message* last = messages_.empty() ? nullptr : &messages_.back();
  const bool has_end =
      last != nullptr && (last->error || (!last->has_parts && !last->title.empty()));
  if (pending_.empty() && !has_end) return;
  begin(sink);
  while (!pending_.empty()) emit_pending(true, std::string(pending_.front().message), sink);
  if (!messages_.empty()) settle(messages_.back(), sink);
}

}  // namespace weft::formats::opencode
