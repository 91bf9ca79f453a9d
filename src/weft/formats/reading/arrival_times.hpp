// Arrival times of the bytes of a logged body. A log that was written during the exchange has
// them beside the body, as pairs of an offset in the body's text and the time at which the bytes
// from there on arrived:
//
//   {"timestamp": "…", "request": {…},
//    "response": {"status": 200, "body": "event: …", "times": [[0, 1770000000000], [812, …]]}}
//
// A block of a streamed answer thus gets the times of its own first and last byte.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats {

// The times of the first and the last byte.
struct Arrival {
  std::optional<Millis> from{}, to{};
};

class ArrivalTimes {
 public:
  ArrivalTimes() = default;
  // Empty if `times` is no such list.
  explicit ArrivalTimes(const json::value& times);

  bool empty() const { return times_.empty(); }
  // Of `size` bytes at `offset`; both empty if unknown.
  Arrival of(std::size_t offset, std::size_t size) const;
  // Of the whole body.
  Arrival all() const;

 private:
  std::optional<Millis> at(std::size_t offset) const;

  std::vector<std::pair<std::size_t, Millis>> times_;  // by offset
};

}  // namespace weft::formats
