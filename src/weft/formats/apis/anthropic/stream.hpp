// Assembles a streamed response of the Messages API: from events to blocks. Readers of logs and
// the recording proxy use it.
//
//   MessageStream stream;
//   for (event : events) {
//     Step step = stream.push(event);         // {"type":"content_block_delta",…}
//     for (StreamedBlock& block : step.blocks) …  // each once it is complete, in order
//     for (StreamedMessage& message : step.ended) …
//   }
//   Step rest = stream.end();                   // the blocks of a message that broke off
//
// A block is complete when its content_block_stop has come, and is emitted when all that began
// before it are complete, too. One stream may carry many messages, one after the other.
//
// It buffers one message, up to kMaxRecordBytes of it; further deltas are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/arrival_times.hpp"
#include "weft/transcript/block.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::anthropic {

// The counts of a "usage" object. If it lists iterations, their sum: with compactions and
// advisors the numbers beside them leave those out. A member that is no count is 0.
transcript::Usage usage_of(const json::object& usage);
// The same without the iterations: totals of a run list those of its last message.
transcript::Usage counts_of(const json::object& usage);

// The failure of a message that ended for `reason`: a refusal. Empty for all other reasons.
std::optional<transcript::Failure> refusal_of(std::string_view stop_reason,
                                              const json::value* stop_details);
// The failure that an "error" object describes.
transcript::Failure failure_of(const json::value& error);

struct ParsedBlock;

struct StreamedBlock {
  std::string message_id, model;  // empty if the stream does not name them
  std::uint32_t index = 0;        // as the API counts it
  transcript::Body body;
  Arrival came{};                       // its first and last byte, if known
  std::optional<json::object> extra{};  // as Block::extra
};

struct StreamedMessage {
  std::string id, model;
  std::optional<transcript::Usage> usage;
  transcript::Request request{};  // with its id, model and counts, if it has a usage
  std::optional<std::string> stop_reason;
  // A refusal, the error that ended it, or a broken stream.
  std::optional<transcript::Failure> failure;
  std::uint32_t next_index = 0;  // behind its last block
};

class MessageStream {
 public:
  enum class EventOutcome {
    part,       // of a message
    ping,       // no content
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
    std::string fault{};      // of a malformed event: the reason from parse_json
  };

  // One event, as JSON. Halves of a character in two deltas are joined. `came` is its arrival, if
  // known; it is not saved.
  Step push(std::string_view event, const Arrival& came = {});
  // No more events: the blocks of an unfinished message, with unfinished thinking cut off. The
  // stream does not change: it can be resumed, and then emits those blocks again.
  Step end() const;

  // A message has begun, and has not ended.
  bool is_open() const { return message_.has_value(); }

  void archive(StateArchive& a);

 private:
  // Ids of the last messages; an older one that is repeated is emitted again, in the same place.
  static constexpr std::size_t kMostIds = 64;
  static constexpr std::size_t kMostBlocks = kMaxBlocks;

  struct Open {
    std::uint32_t index = 0;
    std::string start;  // the block as it began
    std::string text, input;
    std::optional<std::string> signature;
    std::string citations;  // JSON, a comma between
    std::string compaction, encrypted;
    std::uint32_t half = 0;  // the first half of a character whose second has not come
    bool is_done = false;
    Arrival came{};  // not saved
    void archive(StateArchive& a);
  };
  struct Message {
    std::string id, model;
    json::object usage;
    std::optional<std::string> stop_reason;
    json::value stop_details;
    std::uint32_t next_index = 0;
    void archive(StateArchive& a);
  };

  static std::size_t size_of(const Open& open);
  static ParsedBlock whole_of(const Open& open);

  EventOutcome begin(const json::object& event, Step& step);
  EventOutcome read_event(std::string_view text, const ParsedJson& event, std::uint32_t low,
                          std::uint32_t high, Step& step);
  EventOutcome open_block(const json::object& event, std::string_view text, bool inexact);
  EventOutcome read_delta(const json::object& event, std::uint32_t low, std::uint32_t high);
  EventOutcome close_block(const json::object& event, Step& step);
  EventOutcome read_message_delta(const json::object& event);
  EventOutcome fail(const json::object& event, Step& step);
  void read_usage(const json::object& holder);
  Open* find_open(const json::object& event);
  void emit_done(Step& step);
  void emit_block(std::uint32_t index, ParsedBlock block, const Arrival& came, Step& step);
  // Emits the remaining blocks, and the end of the message.
  enum class Whole { no, yes };
  void finish(Whole whole, std::optional<transcript::Failure> failure, Step& step);

  std::optional<Message> message_;
  std::deque<Open> open_;    // as they began
  std::size_t pending_ = 0;  // bytes in these
  std::deque<std::uint64_t> ids_;
  bool is_repeat_ = false;  // the current message came already
  Arrival now_;             // arrival of the current event
};

}  // namespace weft::formats::anthropic
