#include "weft/formats/adapters/codex/reader.hpp"

#include <utility>

#include "weft/formats/adapters/codex/tools.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::codex {

using transcript::Author;
using transcript::Sink;

void SessionReader::read_context(const JsonRecord& record, const json::object& payload,
                                 Sink& sink) {
  if (const auto model = find_name(payload, "model")) model_ = *model;
  const auto cwd = find_name(payload, "cwd");
  if (cwd && *cwd != cwd_) {
    cwd_ = *cwd;
    sink.facts({.cwd = cwd_});
  }
  skip(record, "internal", sink);
}

void SessionReader::read_item(const JsonRecord& record, const Line& line, Sink& sink) {
  const json::object& item = *line.payload;
  const std::string_view type = type_of(item);
  if (is_internal_item(type)) {
    skip(record, "internal", sink);
    return;
  }
  if (record.parsed.inexact) {
    emit_unknown(record, line, sink);
    return;
  }
  if (const auto model = find_name(item, "model")) model_ = *model;
  ItemContent content = parse_item(item, prompter());
  for (const AuthoredBlock& block : content.blocks) {
    const auto* call = std::get_if<transcript::ToolCall>(&block.body);
    if (call == nullptr || call->id.empty()) continue;
    if (event_calls_.has(call->id)) {
      skip(record, "mirror", sink);
      return;
    }
    item_calls_.add(call->id);
  }
  EventPairing::Resolved resolved = pairing_.resolve(content);
  emit_pending(std::move(resolved.emit), sink);
  for (const PendingEvent& mirror : resolved.mirrors) sink.skip({mirror.line, "mirror"});
  std::string place = place_of(record, item);
  if (!resolved.mirrors.empty()) {
    place = resolved.mirrors.front().place;
  } else if (content.pair_kind != PairKind::none && pairing_.match_event(content)) {
    skip(record, "mirror", sink);
    return;
  }
  emit(record, line, std::move(place), std::move(content), sink);
}

void SessionReader::read_event(const JsonRecord& record, const Line& line, Sink& sink) {
  Event event = parse_event(*line.payload, prompter());
  const bool is_kept = event.kind == Event::Kind::tool || event.kind == Event::Kind::content ||
                       event.kind == Event::Kind::failure;
  if (record.parsed.inexact && is_kept) {
    emit_unknown(record, line, sink);
    return;
  }
  if (event.ends_wait) emit_pending(pairing_.release(), sink);
  if (!event.agent.empty() && spawn_calls_.has(event.call_id)) {
    sink.spawned({.call_id = event.call_id, .agent = event.agent});
  }
  switch (event.kind) {
    case Event::Kind::message: read_message(record, line, std::move(event), sink); break;
    case Event::Kind::tool: read_tool(record, line, std::move(event), sink); break;
    case Event::Kind::usage: read_usage(record, line, sink); break;
    case Event::Kind::failure: emit_failure(record, line, std::move(event.content), sink); break;
    case Event::Kind::content:
      emit_pending(pairing_.release(), sink);
      emit(record, line, counted_place(record), std::move(event.content), sink);
      break;
    case Event::Kind::title:
      title_ = 2;
      sink.facts({.title = event.title});
      break;
    case Event::Kind::rollback:
      if (auto before = branch_.roll_back(event.prompts, turns_.turn_id())) {
        turns_.follow(std::move(*before));
      }
      skip(record, event.reason, sink);
      break;
    case Event::Kind::skip:
      if (event.begins_turn) failure_ = 0;
      skip(record, event.reason, sink);
      break;
  }
}

void SessionReader::read_message(const JsonRecord& record, const Line& line, Event event,
                                 Sink& sink) {
  ItemContent& words = event.content;
  if (words.blocks.empty() || pairing_.match_item(words)) {
    skip(record, "mirror", sink);
    return;
  }
  if (words.pair_kind == PairKind::prompt || !pairing_.can_wait(words))
    emit_pending(pairing_.release(), sink);
  const bool is_named =
      !event.item_id.empty() && !event.item_id.starts_with('#') && !ids_.has(event.item_id);
  PendingEvent pending{.content = std::move(words),
                       .line = record.line,
                       .place = is_named ? event.item_id : counted_place(record),
                       .time = line.time};
  if (pairing_.can_wait(pending.content)) {
    pairing_.wait(std::move(pending));
  } else {
    std::vector<PendingEvent> long_one;
    long_one.push_back(std::move(pending));
    emit_pending(std::move(long_one), sink);
  }
}

void SessionReader::read_tool(const JsonRecord& record, const Line& line, Event event, Sink& sink) {
  const bool is_known =
      !event.call_id.empty() && (item_calls_.has(event.call_id) || event_calls_.has(event.call_id));
  if (is_known && !event.has_results) {
    skip(record, "mirror", sink);
    return;
  }
  if (is_known) event.content.blocks.erase(event.content.blocks.begin());
  else if (!event.call_id.empty()) event_calls_.add(event.call_id);
  emit_pending(pairing_.release(), sink);
  emit(record, line, counted_place(record), std::move(event.content), sink);
}

void SessionReader::read_usage(const JsonRecord& record, const Line& line, Sink& sink) {
  const json::object& payload = *line.payload;
  const json::object* info = find_object(payload, "info");
  if (usage_.add(payload, heading_.is_replay())) {
    sink.facts({.usage = usage_.sum()});
    emit_request(line, sink);
  } else if (heading_.is_replay()) {
    skip(record, "replay", sink);
  } else {
    skip(record, info == nullptr ? "internal" : "duplicate", sink);
  }
}

// Codex names neither the request nor its answer.
void SessionReader::emit_request(const Line& line, Sink& sink) {
  const transcript::Tokens& tokens = usage_.last();
  transcript::Request request{.model = model_.empty() ? fallback_model_.value_or("") : model_,
                              .time = line.time,
                              .tokens = tokens};
  if (usage_.last_input() != tokens.input) request.stated_input = usage_.last_input();
  sink.request(request);
}

void SessionReader::read_exec(const JsonRecord& record, const Line& line, Sink& sink) {
  const json::object& object = *line.payload;
  const json::object* item = find_object(object, "item");
  if (line.type == "item.completed" && item != nullptr) {
    if (record.parsed.inexact) emit_unknown(record, line, sink);
    // A rollout of the same thread counts its own records.
    else emit(record, line, counted_place(record, "exec-"), parse_exec_item(*item), sink);
  } else if (line.type == "turn.completed" && usage_.add_turn(object)) {
    sink.facts({.usage = usage_.sum()});
    emit_request(line, sink);
  } else if (line.type == "turn.failed" || line.type == "error") {
    const json::object* error = find_object(object, "error");
    const json::object& holder = error == nullptr ? object : *error;
    const auto message = find_string(holder, "message");
    const auto text = message ? message : find_string(holder, "text");
    emit_failure(record, line,
                 {.blocks = {{Author::program,
                              transcript::Failure{.text = std::string(text.value_or(""))}}}},
                 sink);
  } else {
    skip(record, line.type.starts_with("item.") ? "progress" : "internal", sink);
  }
}

}  // namespace weft::formats::codex
