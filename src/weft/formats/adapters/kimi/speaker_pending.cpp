// What a speaker holds back until it is whole, and what it remembers between two events.
#include <algorithm>
#include <utility>

#include "weft/formats/adapters/kimi/speaker.hpp"

namespace weft::formats::kimi {

using transcript::Author;
using transcript::Sink;
using transcript::ToolCall;

bool Speaker::PendingEvent::feed(std::string_view next) {
  if (!is_object) {
    next.remove_prefix(std::min(next.find_first_not_of(" \t\r\n"), next.size()));
    if (!next.empty()) is_object = next.starts_with('{');
  }
  return is_object.value_or(false) && arguments.feed(next).done;
}

void Speaker::emit_pending(Sink& sink) {
  AuthoredBlock block{.author = Author::model, .body = {}};
  std::string spawning;
  switch (pending_->piece) {
    case Piece::text: block.body = transcript::Text{.text = pending_->text, .citations = {}}; break;
    case Piece::thinking: {
      transcript::Thinking thinking{.text = pending_->text, .signature = {}, .summaries = {}};
      if (!pending_->signature.empty()) thinking.signature = pending_->signature;
      block.body = std::move(thinking);
      break;
    }
    case Piece::call:
      if (is_spawning(pending_->name)) spawning = pending_->id;
      block.body = ToolCall{
          .id = pending_->id, .name = pending_->name, .input = parse_arguments(pending_->text)};
      break;
  }
  builder_.emit({.place = pending_->place,
                 .blocks = {std::move(block)},
                 .time = pending_->time,
                 .model = model_,
                 .message_id = pending_->step},
                sink);
  if (spawning.empty()) return;
  spawning_.add(spawning);
  sink.spawned({.call_id = spawning});
}

void Speaker::settle(Sink& sink) {
  if (!pending_) return;
  emit_pending(sink);
  pending_.reset();
}

void Speaker::finish(Sink& sink) {
  if (pending_) emit_pending(sink);
}

json::object Speaker::save() const {
  json::object state{{"teller", builder_.save()},
                     {"usage", usage_.save()},
                     {"spawning", spawning_.save()},
                     {"step", step_}};
  if (!pending_) return state;
  json::object pending{{"piece", static_cast<std::int64_t>(pending_->piece)},
                       {"place", pending_->place},
                       {"step", pending_->step},
                       {"text", pending_->text},
                       {"signature", pending_->signature},
                       {"id", pending_->id},
                       {"name", pending_->name}};
  if (pending_->time) pending["time"] = *pending_->time;
  state["held"] = std::move(pending);
  return state;
}

bool Speaker::restore(const json::object& state) {
  const auto step = find_string(state, "step");
  if (!step || !builder_.restore(find_object(state, "teller")) ||
      !usage_.restore(find_array(state, "usage")) ||
      !spawning_.restore(find_array(state, "spawning"))) {
    return false;
  }
  step_ = *step;
  const json::object* pending = find_object(state, "held");
  if (pending == nullptr) return true;
  const auto piece = find_int(*pending, "piece");
  if (!piece || *piece < 0 || *piece > static_cast<std::int64_t>(Piece::call)) return false;
  const auto text = [&](std::string_view key) {
    return std::string(find_string(*pending, key).value_or(""));
  };
  pending_ = {.piece = static_cast<Piece>(*piece),
              .place = text("place"),
              .time = find_int(*pending, "time"),
              .step = text("step"),
              .text = text("text"),
              .signature = text("signature"),
              .id = text("id"),
              .name = text("name")};
  pending_->arguments.start();
  if (pending_->piece == Piece::call) pending_->feed(pending_->text);
  return builder_.has_begun() && !pending_->place.empty();
}

}  // namespace weft::formats::kimi
