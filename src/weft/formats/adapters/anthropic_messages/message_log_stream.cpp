// Reads the streams of a log, event by event.
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/anthropic_messages/message_log.hpp"
#include "weft/formats/apis/anthropic/message_blocks.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::anthropic {

using transcript::Author;
using EventOutcome = MessageStream::EventOutcome;

void MessageLog::read_event(std::string_view event, std::uint64_t line, const Place& place,
                            transcript::Sink& sink) {
  MessageStream::Step step = stream_.push(event, place.came);
  if (step.repairs > 0) sink.repaired(step.repairs);
  const EventOutcome push_outcome = step.outcome;
  if (push_outcome == EventOutcome::malformed && event.find('\n') != std::string_view::npos) {
    // Events with no empty lines between them.
    Lines lines(event, line);
    while (const auto one = lines.next()) {
      if (!one->text.empty()) read_event(one->text, one->number, place, sink);
    }
    return;
  }
  emit_step(std::move(step), place, sink);
  if (stream_.is_open() && stream_record_.empty()) {
    stream_record_ = place.record;
    stream_name_ = session_from(place.raw);
  }
  switch (push_outcome) {
    case EventOutcome::part: break;
    case EventOutcome::ping: sink.skip({line, "ping"}); break;
    case EventOutcome::duplicate: sink.skip({line, "duplicate"}); break;
    case EventOutcome::stray: sink.skip({line, "malformed: an event of no message"}); break;
    case EventOutcome::unknown: sink.skip({line, "unknown event"}); break;
    case EventOutcome::too_large: sink.skip({line, "too large: the message"}); break;
    case EventOutcome::malformed: {
      std::string storage;
      std::size_t repairs = 0;
      const std::string_view text = repair_json(event, storage, repairs);
      if (parse_or_skip(text, line, sink)) sink.skip({line, "malformed: not an event"});
      break;
    }
  }
}

// A stream that is kept as one text.
void MessageLog::read_events(std::string_view text, std::uint64_t line,
                             const ArrivalTimes& arrivals, const Place& place,
                             transcript::Sink& sink) {
  const auto framer = sse_framer();
  const OnRecord record = [&](const Record& event) {
    if (event.stray) return;
    Place timed = place;
    timed.came = arrivals.of(event.offset, event.text.size());
    read_event(event.text, line, timed, sink);
  };
  const OnOversize oversize = [&](std::uint64_t, std::uint64_t bytes) {
    sink.skip(skipped_oversize(line, bytes));
  };
  framer->push(text, record, oversize);
  framer->end(record, oversize);
}

void MessageLog::emit_step(MessageStream::Step step, const Place& place, transcript::Sink& sink) {
  const auto source_of = [&](const std::string& id) {
    return !id.empty() ? id : stream_record_.empty() ? place.record : stream_record_;
  };
  const auto name_of = [&](const std::string& id) {
    return !id.empty() ? id : stream_name_.empty() ? session_from(place.raw) : stream_name_;
  };
  for (StreamedBlock& streamed : step.blocks) {
    history_.resume({.name = name_of(streamed.message_id)}, sink);
    const bool is_result = std::holds_alternative<transcript::ToolResult>(streamed.body);
    Placed placed{.block = {.author = is_result ? Author::tool : Author::model,
                            .body = std::move(streamed.body),
                            .source_id = source_of(streamed.message_id),
                            .index = streamed.index,
                            .start = streamed.came.from,
                            .stop = streamed.came.to,
                            .recorded = place.time,
                            .extra = std::move(streamed.extra)},
                  .counted = streamed.message_id.empty()};
    if (!streamed.message_id.empty()) placed.block.message_id = streamed.message_id;
    if (!is_result) {
      placed.block.model = streamed.model.empty() ? model_ : std::optional(streamed.model);
    }
    history_.emit(std::move(placed), sink);
  }
  for (StreamedMessage& message : step.ended) {
    const bool is_present = history_.has_begun() || message.failure;
    if (is_present) history_.resume({.name = name_of(message.id)}, sink);
    if (message.failure) {
      emit_failure(std::move(*message.failure), source_of(message.id), message.next_index, place,
                   sink);
    }
    if (message.usage && is_present) {
      history_.add_usage(*message.usage, sink);
      if (message.request.model.empty()) message.request.model = model_.value_or("");
      message.request.time = place.came.to;
      sink.request(message.request);
    }
    stream_record_.clear();
    stream_name_.clear();
  }
}

void MessageLog::finish(transcript::Sink& sink) {
  const MessageStream::Step step = stream_.end();
  // On a copy: if the file grows, the stream continues.
  MessageLog copy = *this;
  copy.emit_step(step, {.record = stream_record_, .time = {}, .raw = {}}, sink);
}

}  // namespace weft::formats::anthropic
