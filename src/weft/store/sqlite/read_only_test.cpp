// Stores that may be read and not written: on read-only media, or of another user.
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "weft/base/file.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

namespace fs = std::filesystem;

class ReadOnlyStore : public testing::Test {
 protected:
  ReadOnlyStore() { talk_.says("a"); }
  std::string path() const { return scratch_.path() / "weft.db"; }
  std::unique_ptr<Store> open_to_write() const { return open_store(path(), Create::yes).value(); }
  void run(const char* sql) const {
    const Status status = sqlite::open_database(path(), sqlite::Mode::read_write)->script(sql);
    ASSERT_TRUE(status) << status.error().message;
  }
  // Everybody may read the store, and only root or nobody at all may write.
  void forbid_writing() const {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      if (fs::exists(path() + suffix)) ASSERT_EQ(::chmod((path() + suffix).c_str(), 0444), 0);
    }
    ASSERT_EQ(::chmod(scratch_.path().c_str(), 0555), 0);
  }
  void TearDown() override { ASSERT_EQ(::chmod(scratch_.path().c_str(), 0755), 0); }

  // Whether `work` holds in a process that is not root, for root may write everything.
  static bool holds_for_others(const std::function<bool()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      constexpr unsigned kNobody = 65534;
      const bool dropped = ::geteuid() != 0 || (::setgroups(0, nullptr) == 0 &&
                                                ::setresgid(kNobody, kNobody, kNobody) == 0 &&
                                                ::setresuid(kNobody, kNobody, kNobody) == 0);
      ::_exit(dropped && work() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  bool shows_the_talk() const {
    const auto store = open_store_to_read(path());
    if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), false;
    const auto rows = (*store)->conversations({});
    return rows && rows->size() == 1 && (*store)->get(talk_.cid()) &&
           (*store)->audit().checkpoint_log()->size() == 1;
  }

  Scratch scratch_;
  Talk talk_{"s1"};
};

TEST_F(ReadOnlyStore, IsReadAndNothingIsMadeBesideIt) {
  ASSERT_TRUE(open_to_write()->writer().commit(talk_.batch()));
  ASSERT_FALSE(fs::exists(path() + "-wal")) << "the last one to close it merges the log";
  forbid_writing();
  EXPECT_TRUE(holds_for_others([&] { return shows_the_talk(); }));
  EXPECT_FALSE(fs::exists(path() + "-wal"));
  EXPECT_FALSE(fs::exists(path() + "-shm"));
}

TEST_F(ReadOnlyStore, IsReadWithItsLogWhileItsOwnerWrites) {
  const auto owner = open_to_write();
  ASSERT_TRUE(owner->writer().commit(talk_.batch()));
  ASSERT_GT(fs::file_size(path() + "-wal"), 0u);
  forbid_writing();
  EXPECT_TRUE(holds_for_others([&] { return shows_the_talk(); }));
}

TEST_F(ReadOnlyStore, WithALogThatCannotBeReadIsRefusedWithTheCure) {
  const Scratch copies;
  const std::string copy = copies.path() / "weft.db";
  {
    const auto owner = open_to_write();
    ASSERT_TRUE(owner->writer().commit(talk_.batch()));
    for (const char* suffix : {"", "-wal"}) fs::copy_file(path() + suffix, copy + suffix);
  }
  for (const char* suffix : {"", "-wal"}) ASSERT_EQ(::chmod((copy + suffix).c_str(), 0444), 0);
  ASSERT_EQ(::chmod(copies.path().c_str(), 0555), 0);
  EXPECT_TRUE(holds_for_others([&] {
    const auto store = open_store_to_read(copy);
    return !store && store.error().code == ErrorCode::denied &&
           store.error().message.find("copy both files") != std::string::npos;
  }));
  ASSERT_EQ(::chmod(copies.path().c_str(), 0755), 0);
}

TEST_F(ReadOnlyStore, IsNotWrittenAndTheErrorSaysThatItCanBeRead) {
  ASSERT_TRUE(open_to_write()->writer().commit(talk_.batch()));
  forbid_writing();
  EXPECT_TRUE(holds_for_others([&] {
    const auto store = open_store(path(), Create::yes);
    return !store && store.error().code == ErrorCode::denied &&
           store.error().message.find("it can be read, but not written") != std::string::npos;
  }));
}

TEST_F(ReadOnlyStore, OpenedToBeReadIsNotWrittenEvenWhereItCouldBe) {
  std::ignore = open_to_write();
  const auto store = open_store_to_read(path()).value();
  EXPECT_EQ(store->writer().commit(talk_.batch()).error().code, ErrorCode::denied);
  EXPECT_TRUE(store->conversations({})->empty());
}

TEST_F(ReadOnlyStore, SeesWhatAnotherProcessAdds) {
  const auto writer = open_to_write();
  const auto reader = open_store_to_read(path()).value();
  ASSERT_TRUE(writer->writer().commit(talk_.batch()));
  EXPECT_EQ(reader->conversations({})->size(), 1u);
}

TEST_F(ReadOnlyStore, OfAnOlderVersionIsRefusedWithTheCureAndLeftAsItIs) {
  std::ignore = open_to_write();
  run("PRAGMA user_version = 7");
  const std::string before = read_file(path()).value();
  const auto store = open_store_to_read(path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::invalid_input);
  EXPECT_NE(store.error().message.find("weft migrate"), std::string::npos) << store.error().message;
  EXPECT_EQ(read_file(path()).value(), before);
  EXPECT_EQ(read_version(path()).value(), 7);
}

TEST_F(ReadOnlyStore, OfVersion8IsReadAndKeepsItsVersion) {
  ASSERT_TRUE(open_to_write()->writer().commit(talk_.batch()));
  run("PRAGMA user_version = 8");
  EXPECT_TRUE(shows_the_talk());
  EXPECT_EQ(read_version(path()).value(), 8);
}

TEST_F(ReadOnlyStore, IsFoundWhateverItsNameMeansInAUri) {
  const std::string odd = scratch_.path() / "50%25 ?immutable=0#x.db";
  {
    ASSERT_TRUE(open_store(odd, Create::yes).value()->writer().commit(talk_.batch()));
  }
  const auto database = sqlite::open_database(odd, sqlite::Mode::immutable);
  ASSERT_TRUE(database);
  EXPECT_EQ(sqlite::read_pragma(*database, "application_id").value(), kApplicationId);
}

}  // namespace
}  // namespace weft::store::sql
