// What is on the disk when a commit returns: seen by counting flushes.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/talk_for_test.hpp"

namespace {
std::atomic<int> flushes = 0;
}  // namespace

// In place of the C library's, for SQLite too: whichever of the two it was built with.
extern "C" int fdatasync(int fd) {
  ++flushes;
  return static_cast<int>(::syscall(SYS_fdatasync, fd));
}
extern "C" int fsync(int fd) {
  ++flushes;
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace weft::store {
namespace {

int flushes_of(Store& store, Batch batch, Sync sync) {
  batch.sync = sync;
  const int before = flushes;
  EXPECT_TRUE(store.writer().commit(batch));
  return flushes - before;
}

TEST(Sync, ACommitThatIsToBeOnDiskNowIsFlushedAndOthersWait) {
  const Scratch scratch;
  const auto store = open_store(scratch.path() / "weft.db", Create::yes).value();
  Talk talk("s1");
  const auto next = [&] {
    talk.says("a");
    return talk.batch();
  };
  flushes_of(*store, next(), Sync::later);  // a new log is flushed once
  EXPECT_EQ(flushes_of(*store, next(), Sync::later), 0);
  EXPECT_EQ(flushes_of(*store, next(), Sync::now), 1);
  EXPECT_EQ(flushes_of(*store, next(), Sync::now), 1);
  EXPECT_EQ(flushes_of(*store, next(), Sync::later), 0);
}

TEST(Sync, ARefusedCommitLeavesLaterOnesAsTheyWere) {
  const Scratch scratch;
  const auto store = open_store(scratch.path() / "weft.db", Create::yes).value();
  Talk talk("s1"), rival("s1");
  talk.says("a");
  rival.says("b");
  flushes_of(*store, talk.batch(), Sync::now);
  Batch refused = rival.batch();
  refused.sync = Sync::now;
  EXPECT_EQ(store->writer().commit(refused).error().code, ErrorCode::conflict);
  talk.says("c");
  EXPECT_EQ(flushes_of(*store, talk.batch(), Sync::later), 0);
}

}  // namespace
}  // namespace weft::store
