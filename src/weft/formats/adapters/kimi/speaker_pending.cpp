// What a speaker holds back until it is whole, and what it remembers between two events.
#include <algorithm>
#include <utility>

#include "weft/formats/adapters/kimi/speaker.hpp"

namespace weft::formats::kimi {

using transcript::Author;
using transcript::Sink;
using transcript::ToolCall;

bool Speaker::Held::feed(std::string_view next) {
  if (!is_object) {
    next.remove_prefix(std::min(next.find_first_not_of(" \t\r\n"), next.size()));
    if (!next.empty()) is_object = next.starts_with('{');
  }
  return is_object.value_or(false) && arguments.feed(next).done;
}

void Speaker::tell_held(Sink& sink) {
  Said said{.author = Author::model, .body = {}};
  std::string spawning;
  switch (held_->piece) {
    case Piece::text: said.body = transcript::Text{.text = held_->text, .citations = {}}; break;
    case Piece::thinking: {
      transcript::Thinking thinking{.text = held_->text, .signature = {}, .summaries = {}};
      if (!held_->signature.empty()) thinking.signature = held_->signature;
      said.body = std::move(thinking);
      break;
    }
    case Piece::call:
      if (is_spawning(held_->name)) spawning = held_->id;
      said.body =
          ToolCall{.id = held_->id, .name = held_->name, .input = parse_arguments(held_->text)};
      break;
  }
  teller_.tell({.place = held_->place,
                .said = {std::move(said)},
                .time = held_->time,
                .model = model_,
                .message_id = held_->step},
               sink);
  if (spawning.empty()) return;
  spawning_.add(spawning);
  sink.spawned({.call_id = spawning});
}

void Speaker::settle(Sink& sink) {
  if (!held_) return;
  tell_held(sink);
  held_.reset();
}

void Speaker::finish(Sink& sink) {
  if (held_) tell_held(sink);
}

json::object Speaker::save() const {
  json::object state{{"teller", teller_.save()},
                     {"usage", usage_.save()},
                     {"spawning", spawning_.save()},
                     {"step", step_}};
  if (!held_) return state;
  json::object held{{"piece", static_cast<std::int64_t>(held_->piece)},
                    {"place", held_->place},
                    {"step", held_->step},
                    {"text", held_->text},
                    {"signature", held_->signature},
                    {"id", held_->id},
                    {"name", held_->name}};
  if (held_->time) held["time"] = *held_->time;
  state["held"] = std::move(held);
  return state;
}

bool Speaker::restore(const json::object& state) {
  const auto step = find_string(state, "step");
  if (!step || !teller_.restore(find_object(state, "teller")) ||
      !usage_.restore(find_array(state, "usage")) ||
      !spawning_.restore(find_array(state, "spawning"))) {
    return false;
  }
  step_ = *step;
  const json::object* held = find_object(state, "held");
  if (held == nullptr) return true;
  const auto piece = find_int(*held, "piece");
  if (!piece || *piece < 0 || *piece > static_cast<std::int64_t>(Piece::call)) return false;
  const auto text = [&](std::string_view key) {
    return std::string(find_string(*held, key).value_or(""));
  };
  held_ = {.piece = static_cast<Piece>(*piece),
           .place = text("place"),
           .time = find_int(*held, "time"),
           .step = text("step"),
           .text = text("text"),
           .signature = text("signature"),
           .id = text("id"),
           .name = text("name")};
  held_->arguments.start();
  if (held_->piece == Piece::call) held_->feed(held_->text);
  return teller_.has_begun() && !held_->place.empty();
}

}  // namespace weft::formats::kimi
