#include "weft/base/parallel_for.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace weft {

void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(unsigned, std::size_t)>& do_one) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&](unsigned thread) {
    for (std::size_t piece = next++; piece < count; piece = next++) do_one(thread, piece);
  };
  std::vector<std::jthread> others;
  for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
}

}  // namespace weft
