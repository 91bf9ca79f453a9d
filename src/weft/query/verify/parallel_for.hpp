// Work of equal grain, shared out among threads: whoever is free takes the next piece, so
// that all are busy until the last.
#pragma once

#include <cstddef>
#include <functional>

namespace weft::query {

// Calls do_one(thread, 0) … do_one(thread, count - 1), each once, on `threads` threads
// (at least one), which are numbered from 0; returns when all is done.
void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(unsigned thread, std::size_t piece)>& do_one);

}  // namespace weft::query
