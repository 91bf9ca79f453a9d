// Assembles a streamed response of the Responses API: from events to the response that the API
// would have sent whole. Readers of logs and the recording proxy use it.
//
//   ResponseStream stream;
//   for (event : events) {
//     Step step = stream.push(event);           // {"type":"response.output_text.delta",…}
//     for (StreamedResponse& one : step.responses) …   // once it is completed
//   }
//   Step rest = stream.end();                    // the parts of one that broke off
//
// A stream has everything up to three times: in deltas, in finished items, and in the response at
// the end. The last of these counts; the others if it does not come, or comes incomplete. Items
// are identified by their position in the output, since some gateways change their ids with every
// event.
//
// It buffers one response, up to kMaxRecordBytes of it; further events are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::openai {

struct StreamedResponse {
  json::object response;  // {"id":"resp_…","output":[…],…}
  bool is_cut = false;    // it broke off
};

class ResponseStream {
 public:
  enum class EventOutcome {
    part,      // of a response
    progress,  // repeated by a later event
    stray,     // of no response
    unknown,   // of an unknown type
    malformed,
    too_large,
  };
  struct Step {
    EventOutcome outcome = EventOutcome::part;
    std::vector<StreamedResponse> responses{};
  };

  Step push(const json::object& event);
  // No more events. The stream does not change: it can be resumed, and emits the response again.
  Step end() const;

  // A response has begun, and has not ended.
  bool is_open() const { return response_.has_value(); }

  void archive(StateArchive& a);

 private:
  // Most items of a response, and parts of an item; further events are refused.
  static constexpr std::int64_t kMostItems = 2000;
  static constexpr std::int64_t kMostParts = 10'000;

  struct Item {
    json::object item{};
    bool is_done = false;
  };

  EventOutcome read_event(std::string_view type, const json::object& event, Step& step);
  EventOutcome read_item(const json::object& event, bool is_done);
  EventOutcome read_detail(std::string_view type, const json::object& event);
  EventOutcome read_piece(json::object& holder, std::string_view key, std::string_view source,
                          std::string_view type, const json::object& event);
  void begin(const json::object& event, Step& step);
  void complete(const json::object& event, Step& step);
  EventOutcome fail(const json::object& event, Step& step);
  Item* find_item(const json::object& event);
  json::object folded(json::object response) const;

  std::optional<json::object> response_;  // without its output
  std::map<std::int64_t, Item> items_;    // by their position in it
  std::size_t pending_ = 0;               // bytes in these
};

}  // namespace weft::formats::openai
