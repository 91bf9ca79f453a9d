// Progress reporting and cancellation for long queries.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "weft/base/result.hpp"

namespace weft::query {

struct QueryControl {
  // Once a stop is requested, the query soon fails with called_off().
  std::stop_token stop{};
  // Called with the number of finished pieces of work and their total: never fewer than before, by
  // one thread at a time, not always the caller's. May be empty.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress{};

  bool is_off() const { return stop.stop_requested(); }
  void report_progress(std::uint64_t done, std::uint64_t all) const {
    if (progress) progress(done, all);
  }
};

// unavailable
inline std::unexpected<Error> called_off() {
  return fail(ErrorCode::unavailable, "the query was cancelled");
}

}  // namespace weft::query
