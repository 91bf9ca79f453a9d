// A parallel loop: threads take the next index as they become free, so that all are busy until the
// last.
#pragma once

#include <cstddef>
#include <functional>

namespace weft {

// Calls do_one(thread, 0) … do_one(thread, count - 1), each once, on `threads` threads (at least
// one), numbered from 0; returns when all are done.
void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(unsigned thread, std::size_t piece)>& do_one);

}  // namespace weft
