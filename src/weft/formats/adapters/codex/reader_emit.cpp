#include "weft/formats/adapters/codex/reader.hpp"

#include <utility>

#include "weft/formats/adapters/codex/prompt_origin.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::codex {

using transcript::Author;
using transcript::Sink;

std::string SessionReader::counted_place(const JsonRecord& record, std::string_view prefix) const {
  std::string place = "#" + std::string(prefix) + std::to_string(record.number);
  // Both files are of one thread, and both count from 1.
  if (!rollout_.empty()) place += "@" + rollout_;
  return place;
}

std::string SessionReader::place_of(const JsonRecord& record, const json::object& payload) {
  const auto id = find_name(payload, "id");
  const bool is_named = id && !id->starts_with('#') && ids_.add(*id);
  return is_named ? std::string(*id) : counted_place(record);
}

void SessionReader::emit(const JsonRecord& record, const Line& line, std::string place,
                         ItemContent content, Sink& sink) {
  if (content.is_too_large) {
    skip(record, "too large: more than " + std::to_string(kMaxBlocks) + " blocks", sink);
  }
  if (content.blocks.empty()) {
    skip(record, "empty", sink);
    return;
  }
  emit_blocks(std::move(place), std::move(content), line.time, sink);
}

void SessionReader::emit_unknown(const JsonRecord& record, const Line& line, Sink& sink) {
  emit_pending(pairing_.release(), sink);
  transcript::Unknown unknown = record.parsed.inexact
                                    ? anthropic::unknown_from_text(*line.payload, record.text)
                                    : openai::unknown_of(line.type, *line.payload);
  emit(record, line, counted_place(record), {.blocks = {{Author::program, std::move(unknown)}}},
       sink);
}

void SessionReader::emit_failure(const JsonRecord& record, const Line& line, ItemContent failure,
                                 Sink& sink) {
  const std::string& text = std::get<transcript::Failure>(failure.blocks.at(0).body).text;
  const auto hash = static_cast<std::int64_t>(hash_of(text));
  if (std::exchange(failure_, hash) == hash) {
    skip(record, "mirror", sink);
    return;
  }
  emit(record, line, counted_place(record), std::move(failure), sink);
}

void SessionReader::emit_pending(std::vector<PendingEvent> events, Sink& sink) {
  for (PendingEvent& event : EventPairing::join_reasoning(std::move(events))) {
    pairing_.note_emitted(event.content);
    if (!event.place.starts_with('#')) ids_.add(event.place);
    emit_blocks(std::move(event.place), std::move(event.content), event.time, sink);
  }
}

void SessionReader::emit_blocks(std::string place, ItemContent content, std::optional<Millis> time,
                                Sink& sink) {
  emit_title(content, sink);
  std::vector<AuthoredBlock> calls;
  for (const AuthoredBlock& block : content.blocks) {
    const bool is_of_spawn =
        is_spawn(block.body) ||
        (std::holds_alternative<transcript::ToolResult>(block.body) &&
         spawn_calls_.has(std::get<transcript::ToolResult>(block.body).call_id));
    if (is_of_spawn && !heading_.is_replay()) calls.push_back(block);
  }
  const auto begun = turns_.emit({.place = std::move(place),
                                  .blocks = std::move(content.blocks),
                                  .is_prompt = content.is_prompt,
                                  .time = time,
                                  .model = model_.empty() ? fallback_model_ : model_,
                                  .is_step = false},
                                 sink);
  for (const transcript::TurnHead& turn : begun) branch_.add(turn);
  emit_spawned(calls, sink);
}

void SessionReader::emit_title(const ItemContent& content, Sink& sink) {
  if (title_ > 0 || content.pair_kind != PairKind::prompt || heading_.is_replay()) return;
  std::string title = content.match_texts.empty() ? "" : title_of(content.match_texts.front());
  if (title.empty()) return;
  title_ = 1;
  sink.facts({.title = std::move(title)});
}

void SessionReader::emit_spawned(const std::vector<AuthoredBlock>& blocks, Sink& sink) {
  for (const AuthoredBlock& one : blocks) {
    if (const auto* call = std::get_if<transcript::ToolCall>(&one.body)) {
      if (call->id.empty()) continue;
      spawn_calls_.add(call->id);
      sink.spawned({.call_id = call->id});
      continue;
    }
    // {"agent_id":"…","nickname":"…"}
    const auto& result = std::get<transcript::ToolResult>(one.body);
    const Result<ParsedJson> parsed = parse_json(result.text);
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    const auto agent = object == nullptr ? std::nullopt : find_name(*object, "agent_id");
    if (agent) sink.spawned({.call_id = result.call_id, .agent = std::string(*agent)});
  }
}

}  // namespace weft::formats::codex
