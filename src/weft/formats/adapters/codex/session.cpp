#include "weft/formats/adapters/codex/reader.hpp"

#include "weft/formats/adapters/codex/session.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::codex {

using transcript::Author;
using transcript::Sink;

void SessionReader::take(JsonRecord record, Sink& sink) {
  const json::object* object = record.object();
  if (!record.member.empty()) {
    // Of the document: {"session":{…},"items":[…]}.
    if (record.member == "session" && object != nullptr) {
      read_meta(record, {.shape = Shape::meta, .type = {}, .payload = object}, sink);
    } else {
      skip(record, "internal", sink);
    }
  } else if (object == nullptr) {
    skip(record, "malformed: not an object", sink);
  } else {
    read_object(record, *object, sink);
  }
}

std::optional<std::string_view> SessionReader::find_whole(std::string_view text) const {
  return find_glued_line(text);
}

void SessionReader::read_object(const JsonRecord& record, const json::object& object, Sink& sink) {
  const Line line = parse_line(object);
  const bool is_start = line.type == "thread.started" && line.shape == Shape::exec;
  if (line.shape == Shape::meta || is_start) {
    read_meta(record, line, sink);
    return;
  }
  if (!heading_.has_begun()) heading_.begin_without_meta(record.text, sink);
  if (heading_.is_internal()) {
    skip(record, "internal", sink);
    return;
  }
  heading_.resume(sink);
  heading_.pass(line);
  if (line.time && !lines_.add(record.text)) {
    skip(record, "duplicate", sink);
    return;
  }
  switch (line.shape) {
    case Shape::context: read_context(record, *line.payload, sink); break;
    case Shape::item: read_item(record, line, sink); break;
    case Shape::event: read_event(record, line, sink); break;
    case Shape::exec: read_exec(record, line, sink); break;
    case Shape::internal: skip(record, "internal", sink); break;
    case Shape::mirror: skip(record, "mirror", sink); break;
    case Shape::compacted: {
      const auto summary = find_string(*line.payload, "message");
      emit_pending(pairing_.release(), sink);
      emit(record, line, counted_place(record),
           {.blocks = {{Author::model, transcript::Compaction{std::string(summary.value_or(""))}}}},
           sink);
      break;
    }
    default: emit_unknown(record, line, sink); break;
  }
}

void SessionReader::read_meta(const JsonRecord& record, const Line& line, Sink& sink) {
  const json::object& meta = *line.payload;
  if (heading_.has_begun() && line.shape == Shape::exec && heading_.is_other(meta)) {
    // The outputs of two runs, one after the other.
    emit_pending(pairing_.release(), sink);
    turns_ = {};
    branch_ = {};
    usage_ = {};
    title_ = 0;
  } else if (heading_.has_begun()) {
    if (heading_.is_internal()) {
      skip(record, "internal", sink);
      return;
    }
    heading_.resume(sink);
    skip(record, heading_.add_ancestor(meta) ? "replay" : "duplicate", sink);
    return;
  }
  heading_.begin(meta, line, record.text, sink);
  if (heading_.is_internal()) {
    skip(record, "internal", sink);
    return;
  }
  if (const auto cwd = find_name(meta, "cwd")) cwd_ = *cwd;
  const json::object* base = find_object(meta, "base_instructions");
  const auto prompt =
      base == nullptr ? find_string(meta, "instructions") : find_string(*base, "text");
  if (prompt && !prompt->empty()) {
    emit(record, line, counted_place(record),
         {.blocks = {{Author::program, transcript::Text{std::string(*prompt)}}}}, sink);
  }
}

json::object SessionReader::save_state() const {
  json::object turns;
  turns_.save_to(turns);
  branch_.save_to(turns);
  return {{"heading", heading_.save()},
          {"turns", std::move(turns)},
          {"echoes", pairing_.save()},
          {"usage", usage_.save()},
          {"model", model_},
          {"cwd", cwd_},
          {"title", title_},
          {"failure", failure_},
          {"ids", ids_.save()},
          {"lines", lines_.save()},
          {"item_calls", item_calls_.save()},
          {"event_calls", event_calls_.save()},
          {"spawn_calls", spawn_calls_.save()}};
}

bool SessionReader::restore_state(const json::object& state) {
  const auto title = find_int(state, "title"), failure = find_int(state, "failure");
  const auto model = find_string(state, "model"), cwd = find_string(state, "cwd");
  const json::object* heading = find_object(state, "heading");
  const json::object* turns = find_object(state, "turns");
  const json::object* pairing = find_object(state, "echoes");
  if (!title || !failure || !model || !cwd || heading == nullptr || turns == nullptr ||
      pairing == nullptr) {
    return false;
  }
  title_ = *title;
  failure_ = *failure;
  model_ = *model;
  cwd_ = *cwd;
  if (!turns_.restore_from(*turns) || !branch_.restore_from(*turns)) return false;
  if (turns->contains("follows") && !turns_.has_turn()) return false;
  return heading_.restore(*heading) && pairing_.restore(*pairing) &&
         usage_.restore(find_array(state, "usage")) && ids_.restore(find_array(state, "ids")) &&
         lines_.restore(find_array(state, "lines")) &&
         item_calls_.restore(find_array(state, "item_calls")) &&
         event_calls_.restore(find_array(state, "event_calls")) &&
         spawn_calls_.restore(find_array(state, "spawn_calls"));
}

std::unique_ptr<Reader> open_session(const SourceInfo& info) {
  return std::make_unique<SessionReader>(info);
}

}  // namespace weft::formats::codex
