// When the bytes of a logged body came. A log that was written while they did says so beside the
// body, as pairs of an offset in the body's text and the time at which what begins there came:
//
//   {"timestamp": "…", "request": {…},
//    "response": {"status": 200, "body": "event: …", "times": [[0, 1770000000000], [812, …]]}}
//
// So a block of a streamed answer has the time of its own first and last byte.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats {

// When something began to come, and when it was all there.
struct Arrival {
  std::optional<Millis> from{}, to{};
};

class ArrivalTimes {
 public:
  ArrivalTimes() = default;
  // What is no such list says nothing.
  explicit ArrivalTimes(const json::value& times);

  bool empty() const { return times_.empty(); }
  // Of `size` bytes at `offset`; both empty where nothing is known.
  Arrival of(std::size_t offset, std::size_t size) const;
  // Of all.
  Arrival all() const;

 private:
  std::optional<Millis> at(std::size_t offset) const;

  std::vector<std::pair<std::size_t, Millis>> times_;  // by offset
};

}  // namespace weft::formats
