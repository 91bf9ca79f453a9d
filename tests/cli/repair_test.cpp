// weft repair: the command, its exit codes, its lock, and kill -9 in the midst of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <random>
#include <thread>

#include "program.hpp"
#include "stdio_client.hpp"
#include "web_for_test.hpp"
#include "weft/base/file_lock.hpp"
#include "weft/base/hex.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/store/dump_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class RepairCommand : public testing::Test {
 protected:
  RepairCommand() {
    EXPECT_EQ(weft({"ingest", talk}).exit, 0);
    Tool(store()).run("PRAGMA wal_checkpoint(TRUNCATE)");
    clean = store::dump(store());
  }
  std::string store() const { return (weft.home() / "weft.db").string(); }
  std::vector<std::string> ids(const std::string& kind) const {
    std::vector<std::string> ids;
    for (const auto& row :
         Tool(store()).rows("SELECT CAST(t.id AS TEXT) FROM thoughts t JOIN words w ON w.id = "
                            "t.type WHERE w.text LIKE '%" +
                            kind + "'")) {
      ids.push_back(row[0]);
    }
    return ids;
  }
  void flip(const std::string& id, std::size_t bit) const {
    const Tool tool(store());
    std::string bytes = tool.rows("SELECT body FROM thoughts WHERE id = " + id).at(0).at(0);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    const std::string hex =
        to_hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    tool.run("UPDATE thoughts SET body = x'" + hex + "' WHERE id = " + id);
  }
  std::set<std::string> differences(const store::Dump& other) const {
    return store::differences(store::dump(store()), other);
  }

  Weft weft;
  std::string talk = weft.write("talk.txt", cli::sample_transcript());
  store::Dump clean;
};

TEST_F(RepairCommand, BringsBackAChangedBitAndSaysSo) {
  flip(ids("/response").at(0), 90);
  EXPECT_EQ(weft({"verify"}).exit, 1);
  const Ran ran = weft({"repair", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran;
  const json::object answer = ran.object();
  ASSERT_EQ(list(answer, "repaired").size(), 1u);
  EXPECT_EQ(text(list(answer, "repaired")[0].as_object(), "table"), "thoughts");
  EXPECT_THAT(list(answer, "lost"), IsEmpty());
  EXPECT_EQ(text(answer, "verdict"), "valid");
  EXPECT_THAT(differences(clean), IsEmpty());
  EXPECT_EQ(weft({"verify"}).exit, 0);
  const Ran again = weft({"repair"});
  EXPECT_EQ(again.exit, 0) << again;
  EXPECT_THAT(again.out, HasSubstr("valid: 0 rows repaired"));
  EXPECT_FALSE(fs::exists(store() + ".repair"));
}

TEST_F(RepairCommand, DryRunChangesNothing) {
  flip(ids("/response").at(0), 90);
  const store::Dump damaged = store::dump(store());
  const Ran ran = weft({"repair", "--dry-run"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("would be repaired"), HasSubstr("Nothing was changed"),
                             HasSubstr("weft backup")));
  EXPECT_THAT(differences(damaged), IsEmpty());
  EXPECT_FALSE(fs::exists(store() + ".repair"));
  EXPECT_TRUE(weft({"repair", "--dry-run", "--json"}).object().at("dry_run").as_bool());
}

TEST_F(RepairCommand, SaysWhatIsLostAndWhatCanBeDone) {
  fs::remove(talk);
  const std::string id = ids("/response").at(0);
  Tool(store()).run("UPDATE thoughts SET body = x'7b7d', created_at = created_at + 1 WHERE id = " +
                    id);
  const Ran ran = weft({"repair"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("lost"), HasSubstr("response of 20"),
                             HasSubstr("in conversation"), HasSubstr("weft restore-home")));
  const json::object answer = weft({"repair", "--json"}).object();
  ASSERT_FALSE(list(answer, "lost").empty());
  const json::object lost = list(answer, "lost")[0].as_object();
  EXPECT_THAT(text(lost, "reason"), HasSubstr("no single changed bit"));
  EXPECT_EQ(text(lost, "conversation").substr(0, 11), "cid:blake3:");
  EXPECT_EQ(text(answer, "verdict"), "bad");
}

TEST_F(RepairCommand, WithoutAStoreOrAKeyringIsRefused) {
  EXPECT_EQ(weft({"repair", "--home", weft.path("nowhere")}).exit, 1);
  EXPECT_FALSE(fs::exists(weft.path("nowhere")));
  fs::rename(weft.home() / "keyring.json", weft.path("aside.json"));
  const Ran ran = weft({"repair"});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("owner's keyring"), HasSubstr("--keys")));
}

TEST_F(RepairCommand, WaitsForTheProcessThatUsesTheStoreAndNamesIt) {
  auto lock = FileLock::try_acquire(store() + ".lock");
  ASSERT_TRUE(lock);
  const std::string me = "process " + std::to_string(::getpid());
  auto waiting = std::async(std::launch::async, [&] { return weft({"repair"}); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(2'500)), std::future_status::timeout);
  {
    const FileLock released = *std::move(lock);
  }
  const Ran ran = waiting.get();
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("waiting for " + me), HasSubstr("30 seconds")));
}

// A wrong keyring beside the store, as an older weft would have used it.
TEST_F(RepairCommand, DropKeyAsksAndRefusesTheOwner) {
  const std::string own = text(weft.json({"keys", "show"}), "public_key");
  const Ran owner = weft({"repair", "--drop-key", own, "--yes"});
  EXPECT_EQ(owner.exit, 3) << owner;
  EXPECT_THAT(owner.err, HasSubstr("is the owner of this store"));
  EXPECT_EQ(weft({"repair", "--drop-key", "0123456789ab", "--yes"}).exit, 1);
  EXPECT_EQ(weft({"repair", "--drop-key", "01", "--yes"}).exit, 2);

  const crypto::Keyring wrong =
      crypto::Keyring::create("Ada", 5'000, crypto::SealMode::thinking).value();
  {
    auto opened = store::open_store(store(), store::Create::no);
    ASSERT_TRUE(opened);
    ingest::Options options{.paths = {talk}};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    ASSERT_TRUE(ingest::ingest(**opened, wrong, options));
  }
  const std::string key = wrong.owner_key().str().substr(0, 24);
  const store::Dump woven = store::dump(store());
  const Ran nobody = weft({"repair", "--drop-key", key});
  EXPECT_EQ(nobody.exit, 1) << nobody;
  EXPECT_THAT(nobody.err, AllOf(HasSubstr("nothing was dropped"), HasSubstr("--yes")));
  const Ran shown = weft({"repair", "--drop-key", key, "--dry-run"});
  EXPECT_EQ(shown.exit, 0) << shown;
  EXPECT_THAT(shown.out, HasSubstr("would be dropped"));
  EXPECT_THAT(differences(woven), IsEmpty());
  const Ran ran = weft({"repair", "--drop-key", key, "--yes", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran;
  const json::object dropped = ran.object().at("dropped").as_object();
  EXPECT_EQ(list(dropped, "conversations").size(), 1u);
  EXPECT_EQ(number(weft.json({"list"}), "total"), 1);
  EXPECT_EQ(text(weft.json({"verify"}), "verdict"), "valid");
  EXPECT_EQ(weft({"repair", "--drop-key", key, "--yes"}).exit, 1) << "it is gone";
}

TEST_F(RepairCommand, KilledAtAnyMomentTheNextOneFinishesIt) {
  for (const std::string kind : {"/response", "/human_input", "/thinking", "/turn"}) {
    for (const std::string& id : ids(kind)) flip(id, 11);
  }
  Tool(store()).run("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string damaged = read_text(store());
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(weft({"repair"}).exit, 0);
  const auto whole = std::chrono::steady_clock::now() - began;
  ASSERT_THAT(differences(clean), IsEmpty());
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < (test_is_long() ? 200 : 20); ++i) {
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(store() + suffix);
    write_text(store(), damaged);
    StdioClient run(WEFT_BINARY, {"repair"}, weft.environment);
    std::this_thread::sleep_for(whole * (random() % 1100) / 1000);
    run.kill(SIGKILL);
    run.wait();
    const Ran again = weft({"repair"});
    ASSERT_EQ(again.exit, 0) << again;
    ASSERT_THAT(differences(clean), IsEmpty());
    ASSERT_FALSE(fs::exists(store() + ".repair"));
  }
}

}  // namespace
}  // namespace weft::test
