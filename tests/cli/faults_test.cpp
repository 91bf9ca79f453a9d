// What keeps a store from being written: each fault is reported as what it is, with the cure, and
// reading goes on where it can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <future>
#include <random>
#include <thread>

#include "program.hpp"
#include "stdio_client.hpp"
#include "weft/base/file_lock.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/sqlite/fts5/fts5.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Faults : public testing::Test {
 protected:
  fs::path store() const { return weft.home() / "weft.db"; }
  void ingest() const { ASSERT_EQ(weft({"ingest", talk}).exit, 0); }
  // Status and detail of one of doctor's checks; empty if there is none.
  std::string checked(std::string_view name) const {
    for (const json::value& check : list(weft.json({"doctor"}), "checks")) {
      const json::object& object = check.as_object();
      if (text(object, "name") == name)
        return text(object, "status") + ": " + text(object, "detail");
    }
    return {};
  }
  // weft as a user who is not root: root may write everything.
  Ran as_other(std::vector<std::string> words) const {
    if (::geteuid() != 0) return weft(words);
    words.insert(words.begin(), {"--reuid=65534", "--regid=65534", "--clear-groups", WEFT_BINARY});
    return run_program("/usr/bin/setpriv", words, weft.environment);
  }
  static bool can_be_other() { return ::geteuid() != 0 || ::access("/usr/bin/setpriv", X_OK) == 0; }

  Weft weft;
  std::string talk = weft.write("talk.txt", cli::sample_transcript());
};

TEST_F(Faults, Security12UxB10AStoreThatCannotBeWrittenIsReadAndVerified) {
  if (!can_be_other()) GTEST_SKIP() << "setpriv is not installed";
  ingest();
  const std::string total = std::to_string(number(weft.json({"list"}), "total"));
  for (const fs::path& path : {weft.scratch(), weft.home()}) fs::permissions(path, fs::perms(0555));
  fs::permissions(store(), fs::perms(0444));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"search", "ferry"}, {"stats"}, {"verify"}}) {
    const Ran ran = as_other(words);
    EXPECT_EQ(ran.exit, 0) << words.front() << ran;
  }
  EXPECT_EQ(std::to_string(number(as_other({"list", "--json"}).object(), "total")), total);
  const Ran refused = as_other({"ingest", talk});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_THAT(refused.err, AllOf(HasSubstr("can be read, but not written"), HasSubstr("--home")));
  EXPECT_THAT(as_other({"doctor"}).out, HasSubstr("can be read and verified, but not written"));
  for (const fs::path& path : {weft.scratch(), weft.home()}) fs::permissions(path, fs::perms(0700));
}

TEST_F(Faults, Security9AHeldLockIsNamedAfterTwoSecondsAndWaitedFor) {
  ingest();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(store().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const std::string me = "process " + std::to_string(::getpid());
  auto waiting = std::async(std::launch::async, [&] { return weft({"reindex"}); });
  EXPECT_THAT(checked("lock"), AllOf(HasSubstr("warn: "), HasSubstr(me)));
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(2'500)), std::future_status::timeout);
  ASSERT_EQ(sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  const Ran ran = waiting.get();
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("waiting for " + me), HasSubstr("30 seconds")));
  EXPECT_EQ(checked("lock"), "");
}

TEST_F(Faults, Security13AnEmptyStoreFileCountsAsNone) {
  fs::create_directory(weft.home());
  std::ofstream(store()).close();  // a first ingest was killed early
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"verify"}, {"stats"}, {"reindex"}}) {
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 1) << words.front() << ran;
    EXPECT_THAT(ran.err, HasSubstr("no store at"));
  }
  EXPECT_THAT(checked("store"), HasSubstr("warn: not found"));
  EXPECT_EQ(weft({"doctor"}).exit, 0);
  ingest();
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST_F(Faults, Security13AFirstIngestThatIsKilledLeavesNothingThatIsCalledCorrupt) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto began = std::chrono::steady_clock::now();
  ingest();
  const auto whole = std::chrono::steady_clock::now() - began;
  for (int i = 0; i < 12; ++i) {
    fs::remove_all(weft.home());
    StdioClient run(WEFT_BINARY, {"ingest", talk}, weft.environment);
    std::this_thread::sleep_for(whole * (random() % 1000) / 1000);
    run.kill(SIGKILL);
    run.wait();
    const Ran listed = weft({"list"});
    EXPECT_TRUE(listed.exit == 0 || listed.exit == 1) << listed;
    EXPECT_THAT(listed.err, Not(HasSubstr("corrupt")));
    EXPECT_EQ(weft({"doctor"}).exit, 0) << weft({"doctor"});
    EXPECT_EQ(weft({"ingest", talk}).exit, 0);
    EXPECT_EQ(weft({"verify"}).exit, 0);
  }
}

TEST_F(Faults, Security12AnOlderStoreIsNotChangedByReadingAndMigratedOnRequest) {
  fs::create_directory(weft.home());
  std::ofstream(store()).close();
  {
    const auto database = sqlite::open_database(store(), sqlite::Mode::read_write);
    ASSERT_TRUE(database);
    ASSERT_TRUE(store::sql::install_fts5(*database));
    ASSERT_TRUE(store::sql::migrate(*database, store::sql::migrations().first(7)));
  }
  const Ran read = weft({"list"});
  EXPECT_EQ(read.exit, 3) << read;
  EXPECT_THAT(read.err, AllOf(HasSubstr("version 7"), HasSubstr("weft migrate")));
  EXPECT_THAT(checked("store"), HasSubstr("weft migrate"));
  const json::object migrated = weft.json({"migrate"});
  EXPECT_EQ(number(migrated, "from_version"), 7);
  EXPECT_EQ(number(migrated, "to_version"),
            static_cast<std::int64_t>(store::sql::migrations().size()));
  EXPECT_EQ(weft({"list"}).exit, 0);
  EXPECT_THAT(weft({"migrate"}).out, HasSubstr("is up to date"));
}

TEST_F(Faults, MigrateWithoutAStoreIsRefusedAndMakesNone) {
  EXPECT_EQ(weft({"migrate"}).exit, 1);
  EXPECT_FALSE(fs::exists(weft.home()));
}

TEST_F(Faults, MigrateWaitsForTheProcessThatFollowsTheSourcesAndNamesIt) {
  ingest();
  auto lock = FileLock::try_acquire(store().string() + ".lock");
  ASSERT_TRUE(lock);
  const std::string me = "process " + std::to_string(::getpid());
  EXPECT_THAT(checked("ingest"), HasSubstr(me));
  auto waiting = std::async(std::launch::async, [&] { return weft({"migrate"}); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(2'500)), std::future_status::timeout);
  {
    const FileLock released = *std::move(lock);
  }
  const Ran ran = waiting.get();
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("waiting for " + me), HasSubstr("30 seconds")));
}

TEST_F(Faults, Security13APipeInPlaceOfAFileHangsNothing) {
  ingest();
  const fs::path config = weft.home() / "config.json";
  ASSERT_EQ(::mkfifo(config.c_str(), 0600), 0);
  const Ran ran = weft({"ingest", talk});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("config.json"), HasSubstr("not a regular file")));
  EXPECT_THAT(checked("config"), HasSubstr("fail: "));
  fs::remove(config);
  const fs::path pipe = weft.scratch() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  weft.environment["WEFT_PASSPHRASE_FILE"] = pipe.string();
  const Ran init = weft({"init", "--home", weft.path("other"), "--passphrase"});
  EXPECT_EQ(init.exit, 3) << init;
  EXPECT_THAT(init.err, HasSubstr("not a regular file"));
}

TEST_F(Faults, UxB13DoctorNamesTheLineThatIsWrongInTheConfiguration) {
  ingest();
  std::ofstream(weft.home() / "config.json") << "{\n  \"subagents\": true,\n  \"inclde\": []\n}\n";
  EXPECT_THAT(checked("config"),
              AllOf(HasSubstr("fail: "), HasSubstr("config.json:3: \"inclde\"")));
  EXPECT_EQ(weft({"doctor"}).exit, 1);
  std::ofstream(weft.home() / "config.json") << "{\n  \"subagents\": true,\n  oops\n}\n";
  EXPECT_THAT(checked("config"), HasSubstr("config.json:3: "));
  std::ofstream(weft.home() / "config.json") << "{}";
  EXPECT_THAT(checked("config"), HasSubstr("ok: "));
}

TEST_F(Faults, DoctorNamesAKeyringThatIsNotTheStoresOwn) {
  ingest();
  EXPECT_EQ(checked("owner"), "");
  const std::string owner = text(weft.json({"keys", "show"}), "public_key");
  fs::remove(weft.home() / "keyring.json");
  EXPECT_THAT(checked("owner"), AllOf(HasSubstr("fail: "), HasSubstr(owner)));
  ASSERT_EQ(weft({"init", "--name", "bob", "--home", weft.path("bob")}).exit, 0);
  fs::rename(weft.path("bob") + "/keyring.json", weft.home() / "keyring.json");
  EXPECT_THAT(checked("owner"), AllOf(HasSubstr("fail: "), HasSubstr(owner), HasSubstr("bob")));
  EXPECT_EQ(weft({"doctor"}).exit, 1);
}

TEST_F(Faults, DoctorNamesSecretsThatOthersCanRead) {
  ingest();
  std::ofstream(weft.home() / "serve.token") << "0123456789abcdef0123456789abcdef\n";
  fs::permissions(weft.home() / "serve.token", fs::perms(0644));
  EXPECT_THAT(checked("token"), AllOf(HasSubstr("fail: "), HasSubstr("chmod 600")));
  weft.environment["WEFT_PASSPHRASE_FILE"] = weft.write("words", "open sesame\n");
  fs::permissions(weft.path("words"), fs::perms(0644));
  EXPECT_THAT(checked("passphrase"), AllOf(HasSubstr("fail: "), HasSubstr("chmod 600")));
  fs::permissions(weft.home(), fs::perms(0755));
  EXPECT_THAT(checked("home"), AllOf(HasSubstr("warn: "), HasSubstr("chmod 700")));
}

}  // namespace
}  // namespace weft::test
