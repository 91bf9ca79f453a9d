// A server whose processes are killed while many clients write: what it acknowledged is there when
// it is back, and everybody goes on.
#include <random>

#include "own_server_for_test.hpp"
#include "writers_for_test.hpp"

namespace weft::test {
namespace {

class ServerKilled : public testing::Test {
 protected:
  void SetUp() override {
    if (!postgres::is_built()) GTEST_SKIP() << "built without libpq";
  }
  static int how_many() { return test_is_long() ? 20 : 4; }
  static int kills() { return test_is_long() ? 10 : 2; }
};

TEST_F(ServerKilled, UnderManyWritersItKeepsWhatItAcknowledged) {
  const OwnServer server;
  Acknowledged all;
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  {
    ASSERT_TRUE(store::open_store(server.url(), store::Create::yes));
  }
  Writers writers(server.url(), how_many(), all);
  for (int i = 0; i < kills(); ++i) {
    ASSERT_TRUE(writers.commit(20));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 100));
    server.kill();
    const std::size_t before = all.commits();
    server.start_again();
    ASSERT_TRUE(writers.commit(5)) << "after " << before;
  }
  writers.stop();
  all.check(server.url());
  RecordProperty("acknowledged", static_cast<int>(all.commits()));
  RecordProperty("made and not acknowledged", writers.unanswered());
}

// Without writers: what was read before it ended is read after it, and the log is the same.
TEST_F(ServerKilled, WithNobodyWritingNothingChanges) {
  const OwnServer server;
  Acknowledged all;
  {
    Writers writers(server.url(), 2, all);
    ASSERT_TRUE(writers.commit(5));
  }
  all.check(server.url());
  const auto store = store::open_store(server.url(), store::Create::no);
  ASSERT_TRUE(store) << store.error().message;
  const auto before = (*store)->audit().checkpoint_log();
  server.kill();
  const auto gone = (*store)->audit().checkpoint_log();
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::unavailable) << gone.error().message;
  server.start_again();
  const auto after = (*store)->audit().checkpoint_log();
  ASSERT_TRUE(after) << "a store that was open finds the server again: " << after.error().message;
  EXPECT_EQ(*after, *before);
  all.check(server.url());
}

}  // namespace
}  // namespace weft::test
