// A response of the Messages API as it streams: from events to blocks. Recordings are read with
// it, and whoever stands between a program and the API hears with it what is said.
//
//   MessageStream stream;
//   for (event : events) {
//     Step step = stream.push(event);         // {"type":"content_block_delta",…}
//     for (StreamedBlock& block : step.blocks) …  // each once it is complete, in order
//     for (StreamedMessage& message : step.ended) …
//   }
//   Step rest = stream.end();                   // what came of a message that broke off
//
// A block is complete when its content_block_stop has come, and is told when those that began
// before it are complete too. One stream may carry many messages, one after the other.
//
// It holds one message: never more than kMaxRecordBytes of it, further deltas are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/reading/arrival_times.hpp"
#include "weft/transcript/block.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::anthropic {

// What a "usage" object counts. Where it lists iterations, their sum: with compactions and
// advisors the numbers beside them leave those out. What is no count counts nothing.
transcript::Usage usage_of(const json::object& usage);
// The numbers beside them alone: totals of a run list the iterations of its last message.
transcript::Usage counts_of(const json::object& usage);

// What a message that ended for that reason failed of: a refusal. Empty for all other reasons.
std::optional<transcript::Failure> refusal_of(std::string_view stop_reason,
                                              const json::value* stop_details);
// What an "error" object says.
transcript::Failure failure_of(const json::value& error);

struct ParsedBlock;

struct StreamedBlock {
  std::string message_id, model;  // empty where the stream does not say
  std::uint32_t index = 0;        // as the API counts it
  transcript::Body body;
  Arrival came{};                       // from its first byte to its last, where that was told
  std::optional<json::object> extra{};  // as Block::extra
};

struct StreamedMessage {
  std::string id, model;
  std::optional<transcript::Usage> usage;
  std::optional<std::string> stop_reason;
  // A refusal, the error that ended it, or that it broke off.
  std::optional<transcript::Failure> failure;
  std::uint32_t next_index = 0;  // behind its last block
};

class MessageStream {
 public:
  enum class EventOutcome {
    part,       // of a message
    ping,       // says nothing
    duplicate,  // of a message that came already
    stray,      // of no message
    unknown,    // of a type that we do not know
    malformed,
    too_large,
  };
  struct Step {
    EventOutcome outcome = EventOutcome::part;
    std::vector<StreamedBlock> blocks{};
    std::vector<StreamedMessage> ended{};
    std::size_t repairs = 0;  // broken characters made U+FFFD
    std::string fault{};      // of a malformed event, as parse_json says it
  };

  // One event, as JSON. Halves of a character that stand in two deltas are joined. `came`: when,
  // where that is known; it is not saved.
  Step push(std::string_view event, const Arrival& came = {});
  // No more events. What came of the message is told, thinking that was not done as cut off.
  // The stream is not changed: it can go on, and tells those blocks again when it does.
  Step end() const;

  // A message has begun, and has not ended.
  bool is_open() const { return message_.has_value(); }

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  // Ids of the last messages: beyond these a repeated one is told again, in the same place.
  static constexpr std::size_t kMostIds = 64;
  static constexpr std::size_t kMostBlocks = 100'000;

  struct Open {
    std::uint32_t index = 0;
    std::string start;  // the block as it began
    std::string text, input;
    std::optional<std::string> signature;
    std::string citations;  // JSON, a comma between
    std::string compaction, encrypted;
    std::uint32_t half = 0;  // the first half of a character whose second has not come
    bool is_done = false;
    Arrival came{};
  };
  struct Message {
    std::string id, model;
    json::object usage;
    std::optional<std::string> stop_reason;
    json::value stop_details;
    std::uint32_t next_index = 0;
  };

  static std::size_t size_of(const Open& open);
  static ParsedBlock whole_of(const Open& open);

  EventOutcome begin(const json::object& event, Step& step);
  EventOutcome take(std::string_view text, const ParsedJson& event, std::uint32_t low,
                    std::uint32_t high, Step& step);
  EventOutcome open_block(const json::object& event, std::string_view text, bool inexact);
  EventOutcome take_delta(const json::object& event, std::uint32_t low, std::uint32_t high);
  EventOutcome close_block(const json::object& event, Step& step);
  EventOutcome take_message_delta(const json::object& event);
  EventOutcome fail(const json::object& event, Step& step);
  void take_usage(const json::object& holder);
  Open* find_open(const json::object& event);
  void emit_done(Step& step);
  void emit_block(std::uint32_t index, ParsedBlock block, const Arrival& came, Step& step);
  // Tells all that is left, and that the message ended.
  enum class Whole { no, yes };
  void finish(Whole whole, std::optional<transcript::Failure> failure, Step& step);

  std::optional<Message> message_;
  std::deque<Open> open_;    // as they began
  std::size_t pending_ = 0;  // bytes in these
  std::deque<std::uint64_t> ids_;
  bool is_repeat_ = false;  // the message at hand came already
  Arrival now_;             // when the event at hand came
};

}  // namespace weft::formats::anthropic
