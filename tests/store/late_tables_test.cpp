// Tables that a new version of the store adds: the upgrade takes no time, older writers stop, and
// filling them survives a kill at any moment.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "forget_for_test.hpp"
#include "kill_moments_for_test.hpp"
#include "tables_for_test.hpp"
#include "weft/ingest/fill_tables.hpp"
#include "weft/query/verify/verify.hpp"
#include "weft/sqlite/database.hpp"

namespace weft {
namespace {

using testing::HasSubstr;

constexpr const char* kRestart = "restart: the store was upgraded";

// Runs SQL as a weft of an older version does: with triggers.
std::string error_of_old_writer(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
  const std::string error = message == nullptr ? "" : message;
  sqlite3_free(message);
  sqlite3_close(database);
  return error;
}

// One statement of every kind of write of versions 8 and 9, as they issued it.
TEST(UpgradedStore, StopsTheWritersOfOlderVersions) {
  const Web web;
  for (const char* sql :
       {// a commit, an import, a forget: all of them store new names
        "INSERT INTO name_runs (run, names) VALUES (99, 1)",
        // a commit of sources alone
        "UPDATE sources SET revision = 2, format = 'x', size = 3 WHERE id = 1",
        // reindex
        "UPDATE search_state SET epoch = 1, documents = 1, behind = 0",
        // every write of version 9
        "INSERT OR REPLACE INTO table_sums (name, rows, sum) VALUES ('runs', 1, x'00')",
        // the end of a wipe
        "INSERT INTO wipes (tombstone) VALUES (0); DELETE FROM wipes"}) {
    EXPECT_EQ(error_of_old_writer(web.store_path(), sql), kRestart) << sql;
  }
  Tool(web.store_path()).run("DELETE FROM wipes WHERE 0");  // reading and damaging stay possible
}

// A later version may stop this one in the same way.
TEST(UpgradedStore, IsNamedByAWriterThatMeetsItsTriggers) {
  const Web web;
  const auto database = sqlite::open_database(web.store_path(), sqlite::Mode::read_write);
  ASSERT_TRUE(database) << database.error().message;
  const Status status = database->run("INSERT INTO name_runs (run, names) VALUES (99, 1)");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::invalid_input);
  EXPECT_THAT(status.error().message, HasSubstr(kRestart));
}

TEST(UpgradedStore, StopsAWriterThatHasItOpen) {
  const Web web;
  const auto store = web.open();
  Tool(web.store_path()).run("PRAGMA user_version = 99");
  write_text(web.dir / "more.txt", heading("more") + round_of("more", 3));
  ingest::Options options{.paths = {web.dir / "more.txt"}};
  options.clock = [] { return Millis{1'770'000'000'000}; };
  const auto report = ingest::ingest(*store, web.keyring, options);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr(kRestart));
  const auto filled = store->filling().fill(web.keyring, store::kFillStep);
  ASSERT_FALSE(filled);
  EXPECT_THAT(filled.error().message, HasSubstr(kRestart));
}

class OldStore : public testing::Test {
 protected:
  OldStore() {
    // 200 MB of sessions, or a few.
    const int sessions = test_is_long() ? 400 : 12, rounds = test_is_long() ? 50 : 4;
    const std::string filler(test_is_long() ? 9'000 : 20, 'x');
    std::vector<std::filesystem::path> paths;
    for (int i = 0; i < sessions; ++i) {
      const std::string name = "s" + std::to_string(i);
      // Every third one begins as the one before it: a fork.
      const std::string salt = i % 3 == 2 ? "s" + std::to_string(i - 1) : name;
      std::string text = heading(name);
      for (int round = 0; round < rounds; ++round) {
        text += round_of((round + 1 < rounds ? salt : name) + "-" + std::to_string(round) + filler,
                         round % 60);
      }
      paths.push_back(web_.dir / (name + ".txt"));
      write_text(paths.back(), text);
    }
    const auto store = web_.open();
    ingest::Options options{.paths = paths};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    EXPECT_TRUE(ingest::ingest(*store, web_.keyring, options));
  }
  Web web_;
};

TEST_F(OldStore, IsUpgradedAtOnceAndAnswersAreRightBeforeItIsFilled) {
  const std::string filled = table_answers(web_.store_path(), &web_.keyring);
  turn_to_version_8(web_.store_path());
  // Read as it is, without any table.
  EXPECT_EQ(table_answers(web_.store_path(), &web_.keyring), filled);

  const auto began = std::chrono::steady_clock::now();
  const auto store = web_.open();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(1));
  const auto before = store->filling().progress();
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(before->done, 0u);
  EXPECT_GT(before->all, 1u);
  EXPECT_EQ(table_answers(web_.store_path(), &web_.keyring), filled);
  const query::PinnedLibrary library(*store, &web_.keyring);
  EXPECT_EQ(query::stats(library, {})->at("behind").at("done"), 0);
  const store::ConversationRow row = store->conversations({})->front();
  EXPECT_EQ(query::outline(library, row, {})->at("behind").at("done"), 0);
  EXPECT_EQ(query::blocks(library, row, {})->at("behind").at("done"), 0);

  // One step fills the newest first; what is added meanwhile is neither lost nor counted twice.
  ASSERT_TRUE(store->filling().fill(web_.keyring, std::chrono::milliseconds(0)));
  write_text(web_.dir / "s0.txt", read_text(web_.dir / "s0.txt") + round_of("later", 9));
  web_.ingest(web_.dir / "s0.txt");
  EXPECT_EQ(table_answers(web_.store_path(), &web_.keyring),
            slow_answers(web_.store_path(), &web_.keyring));
  ASSERT_TRUE(ingest::fill_tables(*store, web_.keyring, {}));
  const auto after = store->filling().progress();
  EXPECT_EQ(after->done, after->all);
  expect_sound_tables(web_.store_path(), &web_.keyring);
  EXPECT_EQ(table_answers(web_.store_path(), &web_.keyring),
            slow_answers(web_.store_path(), &web_.keyring));
}

TEST_F(OldStore, IsFilledHoweverOftenTheProcessIsKilled) {
  const std::string filled = table_answers(web_.store_path(), &web_.keyring);
  turn_to_version_8(web_.store_path());
  const auto fill = [&] {
    const auto store = store::open_store(web_.store_path(), store::Create::no);
    if (!store) return false;
    for (bool more = true; more;) {
      const auto step = (*store)->filling().fill(web_.keyring, std::chrono::milliseconds(1));
      if (!step) return false;
      more = *step;
    }
    return true;
  };
  // Killed right after its first step, the process has filled some and not all.
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const auto fill_and_report = [&] {
    const auto store = store::open_store(web_.store_path(), store::Create::no);
    for (bool more = store.has_value(); more;) {
      const auto step = (*store)->filling().fill(web_.keyring, std::chrono::milliseconds(0));
      if (!step || ::write(pipe[1], "s", 1) != 1) return false;
      more = *step;
    }
    return true;
  };
  const pid_t first = in_child(fill_and_report);
  char stepped = 0;
  ASSERT_EQ(::read(pipe[0], &stepped, 1), 1);
  ::kill(first, SIGKILL);
  ASSERT_EQ(::waitpid(first, nullptr, 0), first);
  ::close(pipe[0]);
  ::close(pipe[1]);
  const auto begun = web_.open()->filling().progress();
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_LT(begun->done, begun->all) << "no kill struck while it was filled";
  ASSERT_EQ(table_answers(web_.store_path(), &web_.keyring), filled);

  test::KillMoments moments(std::chrono::milliseconds(test_is_long() ? 2'000 : 200));
  const int kills = test_is_long() ? 50 : 5;
  for (int i = 1; i < kills; ++i) {
    SCOPED_TRACE(moments.trace());
    moments.strike(in_child(fill));
    ASSERT_EQ(table_answers(web_.store_path(), &web_.keyring), filled);
  }
  ASSERT_TRUE(fill());
  expect_sound_tables(web_.store_path(), &web_.keyring);
  EXPECT_EQ(table_answers(web_.store_path(), &web_.keyring), filled);
  const auto progress = web_.open()->filling().progress();
  EXPECT_EQ(progress->done, progress->all);
}

TEST(LateTables, ADayBeyondAllTimesIsFound) {
  const Web web;
  for (const char* day : {"-9223372036854755295", "9223372036854755295"}) {
    Tool(web.store_path())
        .run("UPDATE tally_days SET day = " + std::string(day) +
             " WHERE (conversation, day) = (SELECT conversation, day FROM tally_days LIMIT 1)");
    const auto store = web.open();
    const auto answer = query::verify(*store, &web.keyring, {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->at("verdict"), "bad") << day;
  }
}

// A commit without keys cannot know what sealed blocks count for.
TEST(LateTables, AWriterWithoutKeysLeavesItsConversationBehind) {
  const Web web;
  const TempDir elsewhere;
  const auto other = store::open_store(elsewhere / "weft.db", store::Create::yes);
  std::vector<thought::Thought> thoughts;
  const auto store = web.open();
  const auto rows = store->conversations({});
  ASSERT_TRUE(store->each_of(rows->front().cid, [&](thought::Thought thought) {
    thoughts.push_back(std::move(thought));
    return true;
  }));
  ASSERT_TRUE((*other)->writer().import(thoughts, {}));
  EXPECT_EQ((*other)->filling().progress()->done, 0u);
  EXPECT_FALSE(
      (*other)
          ->filling()
          .fill(*crypto::Keyring::parse(*web.keyring.exported(crypto::Reach::metadata), {}),
                store::kFillStep)
          .value());
  ASSERT_TRUE(ingest::fill_tables(**other, web.keyring, {}));
  EXPECT_EQ(table_answers(elsewhere / "weft.db", &web.keyring),
            table_answers(web.store_path(), &web.keyring));
}

}  // namespace
}  // namespace weft
