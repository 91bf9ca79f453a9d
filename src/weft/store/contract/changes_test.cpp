// The contract of Changes: a follower is woken by commits, whoever makes them.
#include <gtest/gtest.h>
#include <poll.h>

#include "weft/store/contract/contract_for_test.hpp"

namespace weft::store {
namespace {

bool is_woken(const Changes& changes, int wait_ms) {
  pollfd ready{.fd = changes.descriptor(), .events = POLLIN, .revents = 0};
  return ::poll(&ready, 1, wait_ms) > 0;
}

TEST_P(StoreContract, WakesAFollowerWhenAnotherConnectionCommits) {
  const std::unique_ptr<Store> follower = open();
  const std::unique_ptr<Changes> changes = follower->changes();
  if (changes->descriptor() < 0) GTEST_SKIP() << "the system gives no notices";
  changes->clear();
  EXPECT_FALSE(is_woken(*changes, 0));
  Talk talk("s");
  talk.says("something");
  commit(talk);
  EXPECT_TRUE(is_woken(*changes, 5'000));
  changes->clear();
  EXPECT_FALSE(is_woken(*changes, 0));
}

}  // namespace
}  // namespace weft::store
