#include "weft/formats/adapters/codex/reader.hpp"

#include "weft/formats/adapters/codex/session.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::codex {
namespace {

// Both are saved in one object.
struct Turns {
  TurnEmitter& turns;
  RollbackBranch& branch;
  void archive(StateArchive& a) {
    turns.archive(a);
    branch.archive(a);
    a.check(turns.has_turn() || a.find("follows") == nullptr);
  }
};

}  // namespace

using transcript::Author;
using transcript::Sink;

void SessionReader::read_record(JsonRecord record, Sink& sink) {
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

void SessionReader::archive(StateArchive& a) {
  a.field("heading", heading_);
  Turns turns{turns_, branch_};
  a.field("turns", turns);
  a.field("echoes", pairing_);
  usage_.archive(a, "usage");
  a.field("model", model_);
  a.field("cwd", cwd_);
  a.field("title", title_);
  a.field("failure", failure_);
  ids_.archive(a, "ids");
  lines_.archive(a, "lines");
  item_calls_.archive(a, "item_calls");
  event_calls_.archive(a, "event_calls");
  spawn_calls_.archive(a, "spawn_calls");
}

std::unique_ptr<Reader> open_session(const SourceInfo& info) {
  return std::make_unique<SessionReader>(info);
}

}  // namespace weft::formats::codex
