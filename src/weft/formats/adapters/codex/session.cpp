#include "weft/formats/adapters/codex/reader.hpp"

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/codex/session.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::codex {

using transcript::Author;
using transcript::Sink;

void SessionReader::read(const Record& record, Sink& sink) {
  ++number_;
  if (record.stray) {
    sink.skip({record.line, "malformed: beside the document"});
    return;
  }
  std::string storage;
  std::size_t repairs = 0;
  std::string_view text = repair_json(record.text, storage, repairs);
  if (repairs > 0) sink.repaired(repairs);
  std::optional<ParsedJson> parsed = parse_or_skip(text, record.line, sink);
  if (!parsed) {
    const auto glued = find_glued_line(text);
    if (!glued) return;
    text = *glued;
    parsed = parse_json(text).value();
  }
  const json::object* object = parsed->value.if_object();
  const Source source{text, record.line, parsed->inexact};
  if (!record.member.empty()) {
    // Of the document: {"session":{…},"items":[…]}.
    if (record.member == "session" && object != nullptr) {
      read_meta(source, {.shape = Shape::meta, .type = {}, .payload = object}, sink);
    } else {
      skip(source, "internal", sink);
    }
  } else if (object == nullptr) {
    skip(source, "malformed: not an object", sink);
  } else {
    read_object(source, *object, sink);
  }
}

void SessionReader::read_object(const Source& source, const json::object& object, Sink& sink) {
  const Line line = parse_line(object);
  const bool is_start = line.type == "thread.started" && line.shape == Shape::exec;
  if (line.shape == Shape::meta || is_start) {
    read_meta(source, line, sink);
    return;
  }
  if (!heading_.has_begun()) heading_.begin_without_meta(source.text, sink);
  if (heading_.is_internal()) {
    skip(source, "internal", sink);
    return;
  }
  heading_.resume(sink);
  heading_.pass(line);
  if (line.time && !lines_.add(source.text)) {
    skip(source, "duplicate", sink);
    return;
  }
  switch (line.shape) {
    case Shape::context: read_context(source, *line.payload, sink); break;
    case Shape::item: read_item(source, line, sink); break;
    case Shape::event: read_event(source, line, sink); break;
    case Shape::exec: read_exec(source, line, sink); break;
    case Shape::internal: skip(source, "internal", sink); break;
    case Shape::mirror: skip(source, "mirror", sink); break;
    case Shape::compacted: {
      const auto summary = find_string(*line.payload, "message");
      emit_pending(echoes_.release(), sink);
      emit(source, line, counted_place(),
           {.blocks = {{Author::model, transcript::Compaction{std::string(summary.value_or(""))}}}},
           sink);
      break;
    }
    default: emit_unknown(source, line, sink); break;
  }
}

void SessionReader::read_meta(const Source& source, const Line& line, Sink& sink) {
  const json::object& meta = *line.payload;
  if (heading_.has_begun() && line.shape == Shape::exec && heading_.is_other(meta)) {
    // The outputs of two runs, one after the other.
    emit_pending(echoes_.release(), sink);
    turns_ = {};
    usage_ = {};
    title_ = 0;
  } else if (heading_.has_begun()) {
    if (heading_.is_internal()) {
      skip(source, "internal", sink);
      return;
    }
    heading_.resume(sink);
    skip(source, heading_.take_ancestor(meta) ? "replay" : "duplicate", sink);
    return;
  }
  heading_.begin(meta, line, source.text, sink);
  if (heading_.is_internal()) {
    skip(source, "internal", sink);
    return;
  }
  if (const auto cwd = find_name(meta, "cwd")) cwd_ = *cwd;
  const json::object* base = find_object(meta, "base_instructions");
  const auto prompt =
      base == nullptr ? find_string(meta, "instructions") : find_string(*base, "text");
  if (prompt && !prompt->empty()) {
    emit(source, line, counted_place(),
         {.blocks = {{Author::program, transcript::Text{std::string(*prompt)}}}}, sink);
  }
}

std::string SessionReader::save() const {
  return canonical_json(json::object{{"number", number_},
                                     {"heading", heading_.save()},
                                     {"turns", turns_.save()},
                                     {"echoes", echoes_.save()},
                                     {"usage", usage_.save()},
                                     {"model", model_},
                                     {"cwd", cwd_},
                                     {"title", title_},
                                     {"failure", failure_},
                                     {"ids", ids_.save()},
                                     {"lines", lines_.save()},
                                     {"item_calls", item_calls_.save()},
                                     {"event_calls", event_calls_.save()},
                                     {"spawn_calls", spawn_calls_.save()}});
}

Status SessionReader::restore(std::string_view state) {
  const auto restore_from = [&](const json::object& object) {
    const auto number = find_int(object, "number"), title = find_int(object, "title");
    const auto failure = find_int(object, "failure");
    const auto model = find_string(object, "model"), cwd = find_string(object, "cwd");
    const json::object* heading = find_object(object, "heading");
    const json::object* turns = find_object(object, "turns");
    const json::object* echoes = find_object(object, "echoes");
    if (!number || *number < 0 || !title || !failure || !model || !cwd || heading == nullptr ||
        turns == nullptr || echoes == nullptr) {
      return false;
    }
    number_ = static_cast<std::uint64_t>(*number);
    title_ = *title;
    failure_ = *failure;
    model_ = *model;
    cwd_ = *cwd;
    return heading_.restore(*heading) && turns_.restore(*turns) && echoes_.restore(*echoes) &&
           usage_.restore(find_array(object, "usage")) && ids_.restore(find_array(object, "ids")) &&
           lines_.restore(find_array(object, "lines")) &&
           item_calls_.restore(find_array(object, "item_calls")) &&
           event_calls_.restore(find_array(object, "event_calls")) &&
           spawn_calls_.restore(find_array(object, "spawn_calls"));
  };
  const Result<ParsedJson> parsed = parse_json(state);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  if (object == nullptr || !restore_from(*object)) {
    return fail(ErrorCode::corrupt, "restoring a reader of codex: not its state");
  }
  return {};
}

std::unique_ptr<Reader> open_session(const SourceInfo& info) {
  return std::make_unique<SessionReader>(info);
}

}  // namespace weft::formats::codex
