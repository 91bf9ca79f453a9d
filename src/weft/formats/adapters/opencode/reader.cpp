#include "weft/formats/adapters/opencode/reader.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/adapters/opencode/record.hpp"
#include "weft/formats/framing/json_pieces.hpp"

namespace weft::formats::opencode {
namespace {

using transcript::Sink;

std::string_view session_of(const json::object& object) {
  return find_string(object, "sessionID").value_or("");
}

void skip_unless_empty(std::string reason, std::uint64_t line, Sink& sink) {
  if (!reason.empty()) sink.skip({line, std::move(reason)});
}

}  // namespace

Conversation& SessionReader::enter(std::string_view session, const JsonRecord& record) {
  if (session.empty() && !conversations_.empty()) return conversations_.back();
  std::string id(session);
  if (id.empty()) id = session_from(record.raw);
  const auto found = std::ranges::find(conversations_, id, &Conversation::id);
  if (found != conversations_.end()) {
    if (std::next(found) == conversations_.end()) return *found;
    conversations_.back().leave();
    std::rotate(found, std::next(found), conversations_.end());
    return conversations_.back();
  }
  if (!conversations_.empty()) conversations_.back().leave();
  if (conversations_.size() == kMostConversations) conversations_.pop_front();
  return conversations_.emplace_back(info_, std::move(id));
}

void SessionReader::read_record(JsonRecord record, Sink& sink) {
  if (!record.member.empty()) return read_member(record, sink);
  const json::object* object = record.object();
  if (object == nullptr) return sink.skip({record.line, "malformed: not an object"});
  // The server's stream of all projects has one more wrapping.
  const json::object* payload = find_object(*object, "payload");
  if (payload != nullptr && shape_of(*payload) == Shape::event) {
    return read_event(record, *payload, sink);
  }
  const Place place{.name = record.counted(),
                    .inexact = record.parsed.inexact ? record.text : std::string_view()};
  switch (shape_of(*object)) {
    case Shape::session: {
      const bool is_news =
          enter(find_string(*object, "id").value_or(""), record).add_session(*object, sink);
      return skip_unless_empty(is_news ? "" : "mirror", record.line, sink);
    }
    case Shape::message: {
      const bool is_news = enter(session_of(*object), record).add_message(*object, place, sink);
      return skip_unless_empty(is_news ? "" : "mirror", record.line, sink);
    }
    case Shape::part: {
      Conversation& conversation = enter(session_of(*object), record);
      return skip_unless_empty(conversation.add_part(*object, place, sink), record.line, sink);
    }
    case Shape::row: {
      Conversation& conversation = enter(session_of(*object), record);
      return skip_unless_empty(conversation.add_row(*object, place, sink), record.line, sink);
    }
    case Shape::exported: return read_exported(record, sink);
    case Shape::event: return read_event(record, *object, sink);
    case Shape::printed: return read_printed(record, sink);
    case Shape::none: break;
  }
  sink.skip({record.line, "malformed: no record of OpenCode"});
}

// Of an export: the session, and whatever else stands beside its messages.
void SessionReader::read_member(const JsonRecord& record, Sink& sink) {
  const json::object* info = record.object();
  if (record.member != "info" || info == nullptr) return sink.skip({record.line, "internal"});
  const bool is_news =
      enter(find_string(*info, "id").value_or(""), record).add_session(*info, sink);
  skip_unless_empty(is_news ? "" : "mirror", record.line, sink);
}

// A record says something if its message does, or any of its parts: those that do not are
// skipped each by itself.
void SessionReader::read_exported(const JsonRecord& record, Sink& sink) {
  const json::object& object = *record.object();
  const json::object& info = *find_object(object, "info");
  Conversation& conversation = enter(session_of(info), record);
  const std::string_view own = find_string(info, "id").value_or("");
  const std::string id(own.empty() ? record.counted() : own);
  conversation.add_message(info, {.name = id}, sink);
  std::uint64_t position = 0;
  const auto add_one = [&](const json::value& value, std::string_view inexact) {
    const Place place{
        .name = id + "." + std::to_string(position++), .message = id, .inexact = inexact};
    const json::object* part = value.if_object();
    if (part == nullptr) return sink.skip({record.line, "malformed: not an object"});
    skip_unless_empty(conversation.add_part(*part, place, sink), record.line, sink);
  };
  if (!record.parsed.inexact) {
    for (const json::value& part : *find_array(object, "parts")) add_one(part, {});
    return;
  }
  // Each part by itself, so that only what no value can hold is kept as text.
  for (const JsonPiece& piece : cut_json(record.text, {"parts"})) {
    if (!piece.member.empty() || piece.stray) continue;
    if (const Result<ParsedJson> parsed = parse_json(piece.text)) {
      add_one(parsed->value, parsed->inexact ? piece.text : std::string_view());
    }
  }
}

void SessionReader::read_event(const JsonRecord& record, const json::object& event, Sink& sink) {
  std::string_view type = find_string(event, "type").value_or("");
  if (type.ends_with(".1")) type.remove_suffix(2);  // as the table `event` numbers them
  const json::object& properties = *find_object(event, "properties");
  const json::object* info = find_object(properties, "info");
  const json::object* part = find_object(properties, "part");
  const std::string_view id = find_string(event, "id").value_or("");
  const Place place{.name = id.empty() || id.starts_with('#') ? record.counted() : std::string(id),
                    .time = find_time(properties, "time"),
                    .inexact = record.parsed.inexact ? record.text : std::string_view()};
  const std::string_view session = session_of(properties);
  if (type.starts_with("session.") && info != nullptr) {
    if (type == "session.deleted") return sink.skip({record.line, "internal"});
    const std::string_view named = find_string(*info, "id").value_or("");
    const bool is_news = enter(named.empty() ? session : named, record).add_session(*info, sink);
    return skip_unless_empty(is_news ? "" : "mirror", record.line, sink);
  }
  if (type == "message.updated" && info != nullptr) {
    const std::string_view named = session_of(*info);
    const bool is_news =
        enter(named.empty() ? session : named, record).add_message(*info, place, sink);
    return skip_unless_empty(is_news ? "" : "mirror", record.line, sink);
  }
  if (type == "message.part.updated" && part != nullptr) {
    const std::string_view named = session_of(*part);
    Conversation& conversation = enter(named.empty() ? session : named, record);
    return skip_unless_empty(conversation.add_growing(*part, place, sink), record.line, sink);
  }
  if (type == "session.error") {
    const json::value* error = find_member(properties, "error");
    const bool is_news = error != nullptr && !error->is_null() && !session.empty() &&
                         enter(session, record).add_error(*error, place, sink);
    return skip_unless_empty(is_news ? "" : "mirror", record.line, sink);
  }
  const bool is_known =
      std::ranges::find(conversations_, session, &Conversation::id) != conversations_.end();
  if (is_known && type == "message.part.delta") enter(session, record).add_delta(properties);
  const std::string_view reason = noise(type);
  sink.skip({record.line, std::string(reason.empty() ? "internal" : reason)});
}

// Only what is done is printed.
void SessionReader::read_printed(const JsonRecord& record, Sink& sink) {
  const json::object& object = *record.object();
  Conversation& conversation = enter(session_of(object), record);
  const Place place{.name = record.counted(),
                    .time = find_time(object, "timestamp"),
                    .inexact = record.parsed.inexact ? record.text : std::string_view()};
  if (const json::object* part = find_object(object, "part")) {
    return skip_unless_empty(conversation.add_part(*part, place, sink), record.line, sink);
  }
  const bool is_news = conversation.add_error(*find_member(object, "error"), place, sink);
  skip_unless_empty(is_news ? "" : "mirror", record.line, sink);
}

void SessionReader::finish(Sink& sink) {
  for (Conversation& conversation : conversations_) {
    if (&conversation != &conversations_.back()) {
      // Its heading is emitted again if anything of it is left.
      conversations_.back().leave();
    }
    conversation.flush(sink);
    conversation.leave();
  }
}

void SessionReader::archive(StateArchive& a) {
  a.field("conversations", conversations_, kNoStateLimit, [&] { return Conversation(info_, ""); });
}

}  // namespace weft::formats::opencode
