// ForgetPlan at bad moments: killed, while others read, while others write.
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "forget_for_test.hpp"
#include "kill_moments_for_test.hpp"
#include "weft/store/open.hpp"

namespace weft {
namespace {

struct Fixture {
  Fixture() : web(talk("gone-words", 40, "gone")) {
    write_text(web.dir / "stays.txt", talk("stays", 40, "stays"));
    web.ingest(web.dir / "stays.txt");
    copy_to(calm);
  }
  static std::string talk(const std::string& salt, int rounds, const std::string& session) {
    std::string text = heading(session);
    for (int i = 0; i < rounds; ++i) text += round_of(salt + std::to_string(i), i);
    return text;
  }
  void copy_to(const std::filesystem::path& directory) const {
    std::filesystem::create_directories(directory);
    Tool(web.store_path()).run("PRAGMA wal_checkpoint(TRUNCATE)");
    std::filesystem::copy_file(web.store_path(), directory / "weft.db");
  }
  bool forget_in(const std::filesystem::path& directory) const {
    auto store = store::open_store(directory / "weft.db", store::Create::no);
    if (!store) return false;
    const auto rows = (*store)->conversations({.session_id = "gone"});
    for (const store::ConversationRow& row : *rows) {
      if (!ingest::forget(**store, web.keyring, row, 5)) return false;
    }
    return true;
  }

  Web web;
  TempDir aside;
  std::filesystem::path calm = aside / "calm";
};

TEST(Forget, KilledAtAnyMomentItIsThereOrGoneAndTheRestIsWhole) {
  const Fixture fixture;
  fixture.copy_to(fixture.aside / "timed");
  test::KillMoments moments([&] { ASSERT_TRUE(fixture.forget_in(fixture.aside / "timed")); });
  int there = 0, gone = 0;
  for (int i = 0; i < test::KillMoments::count(); ++i) {
    SCOPED_TRACE(moments.trace());
    const auto home = fixture.aside / ("hit" + std::to_string(i));
    std::filesystem::create_directories(home);
    std::filesystem::copy_file(fixture.calm / "weft.db", home / "weft.db");
    moments.strike(in_child([&] { return fixture.forget_in(home); }));
    auto store = store::open_store(home / "weft.db", store::Create::no);
    ASSERT_TRUE(store) << store.error().message;
    const bool is_there = (*store)->conversations({.session_id = "gone"})->size() == 1;
    ++(is_there ? there : gone);
    EXPECT_EQ(is_there, (*store)->audit().checkpoint_log()->size() == 2);
    const auto answer = query::verify(**store, &fixture.web.keyring, {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->at("verdict"), "valid") << pretty_json(*answer);
    // The next ingest, or the next forget, finishes it.
    if (is_there) {
      ASSERT_TRUE(fixture.forget_in(home));
    } else {
      ingest::Options options{.paths = {fixture.web.dir / "talk.txt"}};
      options.clock = [] { return Millis{1}; };
      const auto report = ingest::ingest(**store, fixture.web.keyring, options);
      ASSERT_TRUE(report);
      EXPECT_TRUE(report->warnings.empty());
    }
    store->reset();
    EXPECT_FALSE(files_say(home, "gone-words"));
    std::filesystem::remove_all(home);
  }
  EXPECT_GT(moments.killed(), 0);
  EXPECT_EQ(there + gone, test::KillMoments::count());
}

TEST(Forget, WaitsForWhoReadsAnOlderStateAndSaysSoIfItIsInVain) {
  const Fixture fixture;
  const auto reader = fixture.web.open();
  // Somebody is in the midst of reading, for longer than anybody waits.
  const Tool slow(fixture.web.store_path());
  slow.run("BEGIN; SELECT count(*) FROM thoughts");
  const auto store = fixture.web.open();
  const auto began = std::chrono::steady_clock::now();
  const auto report =
      ingest::forget(*store, fixture.web.keyring, row_of(*store, "gone"), 1'800'000'000'000);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->is_wiped);
  EXPECT_EQ(slow.rows("SELECT * FROM conversations").size(), 2u) << "the reader is not disturbed";
  EXPECT_EQ(reader->conversations({})->size(), 1u);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));
  slow.run("COMMIT");
  EXPECT_TRUE(*store->forgetting().scrub());
  EXPECT_FALSE(files_say(fixture.web.dir.path(), "gone-words"));
  expect_sound(fixture.web);
}

TEST(Forget, AndIngestAtOnceEndWithoutIt) {
  const Fixture fixture;
  const std::string path = fixture.web.store_path();
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    children.push_back(in_child([&, i] {
      const std::string file = fixture.aside / ("grown" + std::to_string(i) + ".txt");
      bool fine = true;
      for (int rounds = 41; rounds < 61; rounds += 4) {
        write_text(file, Fixture::talk("gone-words", std::min(rounds, 59), "gone"));
        auto store = store::open_store(path, store::Create::no);
        ingest::Options options{.paths = {file}, .commit_bytes = 16u << 10};
        options.clock = [] { return Millis{7}; };
        fine = fine && store && ingest::ingest(**store, fixture.web.keyring, options).has_value();
      }
      return fine;
    }));
  }
  children.push_back(in_child([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return fixture.forget_in(path.substr(0, path.rfind('/')));
  }));
  for (const pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(fixture.web.open()->conversations({})->size(), 1u);
  EXPECT_TRUE(*fixture.web.open()->forgetting().scrub());
  EXPECT_FALSE(files_say(fixture.web.dir.path(), "gone-words"));
  expect_sound(fixture.web);
}

}  // namespace
}  // namespace weft
