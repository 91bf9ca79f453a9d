// What every store must do: several readers and writers at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::store {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST_P(StoreContract, ShowsAReaderTheLastCommit) {
  const std::unique_ptr<Store> reader = open();
  Talk talk("s1");
  for (int i = 0; i < 3; ++i) {
    const Cid cid = talk.says(std::to_string(i));
    EXPECT_FALSE(reader->has(cid).value());
    commit(talk);
    EXPECT_TRUE(reader->has(cid).value());
    EXPECT_TRUE(reader->get(cid));
  }
}

TEST_P(StoreContract, LosesNothingWhenSeveralWriteAtOnce) {
  constexpr int kWriters = 4, kCommits = 15;
  std::vector<std::thread> threads;
  threads.reserve(kWriters);
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      // Half of them through a store of their own on the same file.
      const std::unique_ptr<Store> own = w % 2 == 0 ? open() : nullptr;
      Store& store = own ? *own : *store_;
      const std::string name = "writer " + std::to_string(w);
      Talk talk(name);
      for (int i = 0; i < kCommits; ++i) {
        const Cid cid = talk.says(name + " says " + std::to_string(i));
        const Result<Committed> done = store.writer().commit(talk.batch());
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_TRUE(store.get(cid));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<ConversationRow> rows = store_->conversations({}).value();
  ASSERT_THAT(rows, SizeIs(kWriters));
  for (const ConversationRow& row : rows) {
    EXPECT_EQ(row.block_count, std::uint64_t{kCommits});
    expect_counts_to_be_true(*store_, row.cid);
  }
  EXPECT_THAT(store_->audit().checkpoint_log().value(), SizeIs(kWriters * kCommits));
  EXPECT_THAT(scan(*store_).dangling, IsEmpty());
}

TEST_P(StoreContract, LetsOneOfTwoRivalsThroughAndTellsTheOther) {
  constexpr int kRounds = 20;
  const std::unique_ptr<Store> second = open();
  std::atomic<int> through = 0, refused = 0;
  const auto add_to = [&](Store& store, const std::string& name) {
    for (int i = 0; i < kRounds; ++i) {
      // Weaves on what the store has, as anyone would.
      Talk talk("contested");
      talk.wait(2 * i + (name == "a" ? 0 : 1));
      talk.says(name + std::to_string(i));
      Batch batch = talk.batch();
      const auto known = store.known_web().find_conversation(talk.heading(), talk.owner()).value();
      if (known) batch.units[0].previous = known->checkpoint;
      const Result<Committed> done = store.writer().commit(batch);
      ++(done ? through : refused);
      if (!done) {
        EXPECT_EQ(done.error().code, ErrorCode::conflict) << done.error().message;
      }
    }
  };
  std::thread rival([&] { add_to(*second, "b"); });
  add_to(*store_, "a");
  rival.join();
  EXPECT_EQ(through + refused, 2 * kRounds);
  EXPECT_THAT(store_->audit().checkpoint_log().value(), SizeIs(through.load()));
  expect_counts_to_be_true(*store_, Talk("contested").cid());
}

}  // namespace
}  // namespace weft::store
