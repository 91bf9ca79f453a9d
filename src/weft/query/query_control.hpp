// How a question that takes long is watched, and called off.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "weft/base/result.hpp"

namespace weft::query {

struct QueryControl {
  // Once it is asked to stop, the question fails soon with what called_off() says.
  std::stop_token stop{};
  // How many of how many pieces of work are done: never fewer than before, by one thread at a
  // time, not always the caller's. May be empty.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress{};

  bool is_off() const { return stop.stop_requested(); }
  void tell(std::uint64_t done, std::uint64_t all) const {
    if (progress) progress(done, all);
  }
};

// unavailable
inline std::unexpected<Error> called_off() {
  return fail(ErrorCode::unavailable, "the question was called off");
}

}  // namespace weft::query
