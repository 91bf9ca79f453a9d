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

void Speaker::PendingEvent::archive(StateArchive& a) {
  a.field("piece", piece);
  a.lenient("place", place);
  a.check(!place.empty());
  a.optional("time", time);
  a.lenient("step", step);
  a.lenient("text", text);
  a.lenient("signature", signature);
  a.lenient("id", id);
  a.lenient("name", name);
  if (a.is_writing()) return;
  arguments.start();
  if (piece == Piece::call) feed(text);
}

void Speaker::archive(StateArchive& a) {
  a.field("teller", builder_);
  usage_.archive(a, "usage");
  spawning_.archive(a, "spawning");
  a.field("step", step_);
  a.optional("held", pending_);
  a.check(!pending_ || builder_.has_begun());
}

}  // namespace weft::formats::kimi
