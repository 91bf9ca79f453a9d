#include "weft/base/parallel_for.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace weft {
namespace {

TEST(ShareOut, DoesEachPieceOnceOnThreadsThatAreNumbered) {
  for (const unsigned threads : {0u, 1u, 2u, 5u}) {
    std::vector<std::atomic<int>> done(1000);
    parallel_for(done.size(), threads, [&](unsigned thread, std::size_t piece) {
      EXPECT_LT(thread, std::max(1u, threads));
      ++done[piece];
    });
    for (const std::atomic<int>& times : done) ASSERT_EQ(times, 1);
  }
}

TEST(ShareOut, HasNothingToDoWithoutPieces) {
  parallel_for(0, 2, [](unsigned, std::size_t) { FAIL(); });
}

}  // namespace
}  // namespace weft
