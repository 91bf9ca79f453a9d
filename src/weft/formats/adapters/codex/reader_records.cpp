#include "weft/formats/adapters/codex/reader.hpp"

#include <utility>

#include "weft/formats/adapters/codex/tools.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::codex {

using transcript::Author;
using transcript::Sink;

void SessionReader::read_context(const Source& source, const json::object& payload, Sink& sink) {
  if (const auto model = find_name(payload, "model")) model_ = *model;
  const auto cwd = find_name(payload, "cwd");
  if (cwd && *cwd != cwd_) {
    cwd_ = *cwd;
    sink.facts({.cwd = cwd_});
  }
  skip(source, "internal", sink);
}

void SessionReader::read_item(const Source& source, const Line& line, Sink& sink) {
  const json::object& item = *line.payload;
  const std::string_view type = type_of(item);
  if (is_internal_item(type)) {
    skip(source, "internal", sink);
    return;
  }
  if (source.is_inexact) {
    emit_unknown(source, line, sink);
    return;
  }
  if (const auto model = find_name(item, "model")) model_ = *model;
  Utterance utterance = parse_item(item, people());
  for (const AuthoredBlock& block : utterance.blocks) {
    const auto* call = std::get_if<transcript::ToolCall>(&block.body);
    if (call == nullptr || call->id.empty()) continue;
    if (event_calls_.has(call->id)) {
      skip(source, "mirror", sink);
      return;
    }
    item_calls_.add(call->id);
  }
  EventPairing::Ended ended = echoes_.item_came(utterance);
  emit_pending(std::move(ended.emit), sink);
  for (const PendingEvent& mirror : ended.mirrors) sink.skip({mirror.line, "mirror"});
  std::string place = place_of(item);
  if (!ended.mirrors.empty()) {
    place = ended.mirrors.front().place;
  } else if (utterance.voice != Voice::none && echoes_.take_event_of(utterance)) {
    skip(source, "mirror", sink);
    return;
  }
  emit(source, line, std::move(place), std::move(utterance), sink);
}

void SessionReader::read_event(const Source& source, const Line& line, Sink& sink) {
  Event event = parse_event(*line.payload, people());
  const bool is_kept = event.kind == Event::Kind::tool || event.kind == Event::Kind::content ||
                       event.kind == Event::Kind::failure;
  if (source.is_inexact && is_kept) {
    emit_unknown(source, line, sink);
    return;
  }
  if (event.ends_wait) emit_pending(echoes_.release(), sink);
  if (!event.agent.empty() && spawn_calls_.has(event.call_id)) {
    sink.spawned({.call_id = event.call_id, .agent = event.agent});
  }
  switch (event.kind) {
    case Event::Kind::echo: read_echo(source, line, std::move(event), sink); break;
    case Event::Kind::tool: read_tool(source, line, std::move(event), sink); break;
    case Event::Kind::usage: read_usage(source, *line.payload, sink); break;
    case Event::Kind::failure: emit_failure(source, line, std::move(event.utterance), sink); break;
    case Event::Kind::content:
      emit_pending(echoes_.release(), sink);
      emit(source, line, counted_place(), std::move(event.utterance), sink);
      break;
    case Event::Kind::title:
      title_ = 2;
      sink.facts({.title = event.title});
      break;
    case Event::Kind::rollback:
      turns_.roll_back(event.turns);
      skip(source, event.reason, sink);
      break;
    case Event::Kind::skip:
      if (event.begins_turn) failure_ = 0;
      skip(source, event.reason, sink);
      break;
  }
}

void SessionReader::read_echo(const Source& source, const Line& line, Event event, Sink& sink) {
  Utterance& words = event.utterance;
  if (words.blocks.empty() || echoes_.take_item_of(words)) {
    skip(source, "mirror", sink);
    return;
  }
  if (words.voice == Voice::person || !echoes_.may_hold(words))
    emit_pending(echoes_.release(), sink);
  const bool is_named =
      !event.item_id.empty() && !event.item_id.starts_with('#') && !ids_.has(event.item_id);
  PendingEvent pending{.utterance = std::move(words),
                       .line = source.line,
                       .place = is_named ? event.item_id : counted_place(),
                       .time = line.time};
  if (echoes_.may_hold(pending.utterance)) {
    echoes_.hold(std::move(pending));
  } else {
    std::vector<PendingEvent> long_one;
    long_one.push_back(std::move(pending));
    emit_pending(std::move(long_one), sink);
  }
}

void SessionReader::read_tool(const Source& source, const Line& line, Event event, Sink& sink) {
  const bool is_known =
      !event.call_id.empty() && (item_calls_.has(event.call_id) || event_calls_.has(event.call_id));
  if (is_known && !event.has_results) {
    skip(source, "mirror", sink);
    return;
  }
  if (is_known) event.utterance.blocks.erase(event.utterance.blocks.begin());
  else if (!event.call_id.empty()) event_calls_.add(event.call_id);
  emit_pending(echoes_.release(), sink);
  emit(source, line, counted_place(), std::move(event.utterance), sink);
}

void SessionReader::read_usage(const Source& source, const json::object& payload, Sink& sink) {
  const json::object* info = find_object(payload, "info");
  if (usage_.add(payload, heading_.is_replay())) {
    sink.facts({.usage = usage_.sum()});
  } else if (heading_.is_replay()) {
    skip(source, "replay", sink);
  } else {
    skip(source, info == nullptr ? "internal" : "duplicate", sink);
  }
}

void SessionReader::read_exec(const Source& source, const Line& line, Sink& sink) {
  const json::object& object = *line.payload;
  const json::object* item = find_object(object, "item");
  if (line.type == "item.completed" && item != nullptr) {
    if (source.is_inexact) emit_unknown(source, line, sink);
    // A rollout of the same thread counts its own records.
    else emit(source, line, counted_place("exec-"), parse_exec_item(*item), sink);
  } else if (line.type == "turn.completed" && usage_.add_turn(object)) {
    sink.facts({.usage = usage_.sum()});
  } else if (line.type == "turn.failed" || line.type == "error") {
    const json::object* error = find_object(object, "error");
    const json::object& holder = error == nullptr ? object : *error;
    const auto message = find_string(holder, "message");
    const auto text = message ? message : find_string(holder, "text");
    emit_failure(source, line,
                 {.blocks = {{Author::program,
                              transcript::Failure{.text = std::string(text.value_or(""))}}}},
                 sink);
  } else {
    skip(source, line.type.starts_with("item.") ? "progress" : "internal", sink);
  }
}

}  // namespace weft::formats::codex
