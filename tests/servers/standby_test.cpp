// A server that ends for good, and a standby that takes its place.
#include "becomes_true.hpp"
#include "own_server_for_test.hpp"
#include "share_for_test.hpp"
#include "writers_for_test.hpp"

namespace weft::test {
namespace {

class Standby : public Sharing {
 protected:
  void SetUp() override {
    if (!postgres::is_built()) GTEST_SKIP() << "built without libpq";
  }
  // Both servers, of which the one counts that may be written to.
  static std::string url_of(const OwnServer& one, const OwnServer& other) {
    const auto encoded = [](std::string directory) {
      for (std::size_t at = 0; (at = directory.find('/', at)) != directory.npos;) {
        directory.replace(at, 1, "%2F");
      }
      return directory;
    };
    return "postgres://weft@" + encoded(one.directory()) + "," + encoded(other.directory()) +
           "/weft?schema=web&target_session_attrs=read-write";
  }
};

TEST_F(Standby, OneThatIsSynchronousHasEverythingThatWasAcknowledged) {
  const OwnServer primary("wal_level=replica");
  const OwnServer standby(primary);
  {
    const sql::Database database = primary.open();
    ASSERT_TRUE(database.script("ALTER SYSTEM SET synchronous_standby_names = '*'"));
    ASSERT_TRUE(database.script("SELECT pg_reload_conf()"));
  }
  ASSERT_TRUE(becomes_true([&] {
    return primary.ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1;
  }));
  const std::string url = url_of(primary, standby);
  Acknowledged all;
  {
    ASSERT_TRUE(store::open_store(url, store::Create::yes));
  }
  Writers writers(url, test_is_long() ? 20 : 4, all);
  ASSERT_TRUE(writers.commit(20));
  primary.kill();
  standby.promote();
  ASSERT_TRUE(writers.commit(10)) << "the writers find the other host";
  writers.stop();
  EXPECT_EQ(standby.ask("SELECT count(*) FROM pg_stat_replication"), 0);
  all.check(url);
  all.check(standby.url());
}

// What an asynchronous standby did not have is gone from the server. The machines that pushed it
// still have it: the next push sends it again.
TEST_F(Standby, WhatAnAsynchronousOneLostIsPushedAgain) {
  const OwnServer primary("wal_level=replica");
  const OwnServer standby(primary);
  one.has_remotes({{"server", url_of(primary, standby)}});
  one.ingests(short_session(kOne));
  one.push("server");
  const auto has = [](const OwnServer& server, std::int64_t conversations) {
    const auto store = store::open_store(server.url(), store::Create::no);
    if (!store) return false;
    const auto rows = (*store)->conversations({});
    return rows && rows->size() == static_cast<std::size_t>(conversations);
  };
  ASSERT_TRUE(becomes_true([&] { return has(standby, 1); }));
  standby.kill();
  one.ingests(short_session(kTwo));
  one.push("server");
  EXPECT_TRUE(has(primary, 2));

  primary.kill();
  standby.start_again();
  standby.promote();
  EXPECT_TRUE(has(standby, 1)) << "what the primary alone had is lost";
  EXPECT_EQ(list(one.push("server"), "sent").size(), 1u);
  EXPECT_TRUE(has(standby, 2));
  Acknowledged all;
  all.check(standby.url());
  EXPECT_TRUE(list(one.push("server"), "sent").empty());
}

}  // namespace
}  // namespace weft::test
