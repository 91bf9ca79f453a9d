// What the streams of a log tell, event by event.
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/anthropic_messages/message_log.hpp"
#include "weft/formats/apis/anthropic/lines.hpp"
#include "weft/formats/apis/anthropic/message_blocks.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::anthropic {

using transcript::Author;
using Taken = MessageStream::Taken;

void MessageLog::read_event(std::string_view event, std::uint64_t line, const Place& place,
                            transcript::Sink& sink) {
  MessageStream::Step step = stream_.push(event, place.came);
  if (step.repairs > 0) sink.repaired(step.repairs);
  const Taken taken = step.taken;
  if (taken == Taken::malformed && event.find('\n') != std::string_view::npos) {
    // Events with no empty lines between them.
    Lines lines(event, line);
    while (const auto one = lines.next()) {
      if (!one->text.empty()) read_event(one->text, one->number, place, sink);
    }
    return;
  }
  tell_step(std::move(step), place, sink);
  if (stream_.is_open() && stream_record_.empty()) {
    stream_record_ = place.record;
    stream_name_ = session_from(place.raw);
  }
  switch (taken) {
    case Taken::part: break;
    case Taken::ping: sink.skip({line, "ping"}); break;
    case Taken::duplicate: sink.skip({line, "duplicate"}); break;
    case Taken::stray: sink.skip({line, "malformed: an event of no message"}); break;
    case Taken::unknown: sink.skip({line, "unknown event"}); break;
    case Taken::too_large: sink.skip({line, "too large: the message"}); break;
    case Taken::malformed: {
      std::string storage;
      std::size_t repairs = 0;
      const std::string_view text = repair_json(event, storage, repairs);
      if (parse_or_skip(text, line, sink)) sink.skip({line, "malformed: not an event"});
      break;
    }
  }
}

// A stream that is kept as one text.
void MessageLog::read_events(std::string_view text, std::uint64_t line, const Arrivals& arrivals,
                             const Place& place, transcript::Sink& sink) {
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

void MessageLog::tell_step(MessageStream::Step step, const Place& place, transcript::Sink& sink) {
  const auto source_of = [&](const std::string& id) {
    return !id.empty() ? id : stream_record_.empty() ? place.record : stream_record_;
  };
  const auto name_of = [&](const std::string& id) {
    return !id.empty() ? id : stream_name_.empty() ? session_from(place.raw) : stream_name_;
  };
  for (StreamedBlock& streamed : step.blocks) {
    history_.go_on({.name = name_of(streamed.message_id)}, sink);
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
    history_.tell(std::move(placed), sink);
  }
  for (StreamedMessage& message : step.ended) {
    const bool is_said = history_.has_begun() || message.failure;
    if (is_said) history_.go_on({.name = name_of(message.id)}, sink);
    if (message.failure) {
      tell_failure(std::move(*message.failure), source_of(message.id), message.next_index, place,
                   sink);
    }
    if (message.usage && is_said) history_.add_usage(*message.usage, sink);
    stream_record_.clear();
    stream_name_.clear();
  }
}

void MessageLog::finish(transcript::Sink& sink) {
  const MessageStream::Step step = stream_.end();
  // Told by a copy: if the file goes on, so does the stream.
  MessageLog copy = *this;
  copy.tell_step(step, {.record = stream_record_, .time = {}, .raw = {}}, sink);
}

}  // namespace weft::formats::anthropic
