// Background ingest: one process ingests and follows, on one Ingester, and its failures pass.
#include "weft/ingest/follow/background_ingest.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "weft/ingest/forget.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

// A prompt of a session of Claude Code.
std::string prompt(const std::string& session, int number) {
  const std::string n = std::to_string(number);
  return R"({"type":"user","uuid":"u)" + n + R"(","sessionId":")" + session +
         R"(","timestamp":"2026-02-01T10:00:00Z","cwd":"/home/ada/loom","message":{"role":"user",)" +
         R"("content":"question )" + n + " of " + session + "\"}}\n";
}

// Counts the callbacks of a background ingest, for a test to wait for. A wait without result fails.
class CallbackCounts {
 public:
  IngestCallbacks calls() {
    return {.on_ingested =
                [this](const Report& report) {
                  add(ingested, static_cast<int>(report.new_thoughts > 0 ? 1 : 0));
                  add(ran, 1);
                },
            .on_following = [this](const Report&) { add(following, 1); },
            .on_waiting = [this] { add(waiting, 1); },
            .on_polling = [this](std::size_t folders) { add(polling, static_cast<int>(folders)); }};
  }
  bool await(const int& number, int n) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return number >= n; });
  }
  int now(const int& number) {
    const std::lock_guard lock(mutex_);
    return number;
  }
  int ingested = 0, ran = 0, following = 0, waiting = 0, polling = 0;

 private:
  void add(int& number, int n) {
    const std::lock_guard lock(mutex_);
    number += n;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
};

class BackgroundIngestTest : public testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) {
    fs::create_directories((scratch_.path() / name).parent_path());
    std::ofstream(scratch_.path() / name, std::ios::binary | std::ios::app) << text;
  }
  std::unique_ptr<store::Store> open(const std::string& name = "weft.db") {
    auto store = store::open_store(scratch_.path() / name, store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  Options options() {
    Options options{
        .folders = {{formats::find_adapter("claude-code"), scratch_.path() / "projects"}}};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    return options;
  }
  std::unique_ptr<BackgroundIngest> background_ingest(
      store::Store& store, CallbackCounts& counts,
      std::size_t most = std::numeric_limits<std::size_t>::max()) {
    return std::make_unique<BackgroundIngest>(
        store, keyring_, options(), scratch_.path() / "weft.db.lock", counts.calls(), most);
  }
  // As if all had been there from the start.
  std::set<Cid> cold() {
    fs::remove(scratch_.path() / "cold.db");
    const auto store = open("cold.db");
    EXPECT_TRUE(ingest(*store, keyring_, options()));
    return web_of(*store);
  }

  store::Scratch scratch_;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
};

TEST_F(BackgroundIngestTest, DoesNothingBeforeItIsAsked) {
  write("projects/-p/a.jsonl", prompt("a", 1));
  const auto store = open();
  CallbackCounts counts;
  const auto asked = background_ingest(*store, counts);
  EXPECT_FALSE(asked->first_progress());
  EXPECT_FALSE(fs::exists(scratch_.path() / "weft.db.lock"));
  asked->refresh();
  ASSERT_TRUE(counts.await(counts.following, 1));
  EXPECT_EQ(store->conversations({})->size(), 1u);
  EXPECT_FALSE(asked->first_progress());
  EXPECT_FALSE(asked->failure());
}

TEST_F(BackgroundIngestTest, TakesInWhatIsThereAndThenWhatComes) {
  write("projects/-p/a.jsonl", prompt("a", 1));
  const auto store = open();
  CallbackCounts counts;
  const auto kept = background_ingest(*store, counts);
  kept->begin();
  ASSERT_TRUE(counts.await(counts.following, 1));
  write("projects/-p/a.jsonl", prompt("a", 2));
  ASSERT_TRUE(counts.await(counts.ingested, 2));
  write("projects/-new/b.jsonl", prompt("b", 1));
  ASSERT_TRUE(counts.await(counts.ingested, 3));
  EXPECT_EQ(web_of(*store), cold());
}

TEST_F(BackgroundIngestTest, ALineInPiecesIsTakenInWhenItIsWhole) {
  const auto store = open();
  write("projects/-p/a.jsonl", prompt("a", 1));
  CallbackCounts counts;
  const auto kept = background_ingest(*store, counts);
  kept->begin();
  ASSERT_TRUE(counts.await(counts.following, 1));
  const std::set<Cid> before = web_of(*store);
  const std::string line = prompt("a", 2);
  write("projects/-p/a.jsonl", line.substr(0, 60));
  const std::uint64_t size = fs::file_size(scratch_.path() / "projects/-p/a.jsonl");
  while (store->sources().all()->at(0).archived < size) std::this_thread::yield();
  EXPECT_EQ(web_of(*store), before);
  write("projects/-p/a.jsonl", line.substr(60));
  ASSERT_TRUE(counts.await(counts.ingested, 2));
  EXPECT_EQ(web_of(*store), cold());
}

TEST_F(BackgroundIngestTest, PollsWhereTheSystemHasNoWatchesAndSaysSoOnce) {
  write("projects/-p/a.jsonl", prompt("a", 1));
  const auto store = open();
  CallbackCounts counts;
  const auto kept = background_ingest(*store, counts, 0);
  kept->begin();
  ASSERT_TRUE(counts.await(counts.following, 1));
  EXPECT_EQ(counts.now(counts.polling), 2);  // projects and -p
  write("projects/-q/b.jsonl", prompt("b", 1));
  ASSERT_TRUE(counts.await(counts.ingested, 2));
  write("projects/-q/b.jsonl", prompt("b", 2));
  ASSERT_TRUE(counts.await(counts.ingested, 3));
  EXPECT_EQ(counts.now(counts.polling), 2);
  EXPECT_EQ(web_of(*store), cold());
}

TEST_F(BackgroundIngestTest, OneTakesInAndTheNextGoesOnWhenItIsGone) {
  write("projects/-p/a.jsonl", prompt("a", 1));
  const auto first_store = open();
  const auto second_store = open();
  CallbackCounts first, second;
  auto holder = background_ingest(*first_store, first);
  holder->begin();
  ASSERT_TRUE(first.await(first.following, 1));
  const auto waiter = background_ingest(*second_store, second);
  waiter->refresh();
  ASSERT_TRUE(second.await(second.waiting, 1));
  write("projects/-p/a.jsonl", prompt("a", 2));
  ASSERT_TRUE(first.await(first.ingested, 2));
  EXPECT_EQ(second.now(second.following), 0);
  EXPECT_EQ(second.now(second.ran), 0);

  holder.reset();
  ASSERT_TRUE(second.await(second.following, 1));
  write("projects/-p/a.jsonl", prompt("a", 3));
  ASSERT_TRUE(second.await(second.ingested, 1));
  EXPECT_EQ(web_of(*second_store), cold());
}

TEST_F(BackgroundIngestTest, OneThatWaitsCanBeStopped) {
  fs::create_directories(scratch_.path() / "projects");
  const auto store = open();
  CallbackCounts first, second, third;
  const auto holder = background_ingest(*store, first);
  holder->begin();
  ASSERT_TRUE(first.await(first.following, 1));
  auto waiter = background_ingest(*store, second);
  waiter->begin();
  ASSERT_TRUE(second.await(second.waiting, 1));
  waiter.reset();
  // And is not in the way of those who wait still.
  const auto last = background_ingest(*store, third);
  last->begin();
  ASSERT_TRUE(third.await(third.waiting, 1));
  holder->stop();
  EXPECT_TRUE(third.await(third.following, 1));
}

// The ids of this process's threads that are not among `before`.
std::set<std::string> threads(const std::set<std::string>& before = {}) {
  std::set<std::string> ids;
  for (const auto& entry : fs::directory_iterator("/proc/self/task")) {
    const std::string id = entry.path().filename().string();
    if (!before.contains(id)) ids.insert(id);
  }
  return ids;
}

TEST_F(BackgroundIngestTest, EveryBatchHasTheSameThreadsSoTheRunIsBuiltOnce) {
  write("projects/-p/a.jsonl", prompt("a", 1));
  const auto store = open();
  const std::set<std::string> before = threads();
  CallbackCounts counts;
  IngestCallbacks calls = counts.calls();
  std::vector<std::set<std::string>> seen;  // by the background thread alone, until it is stopped
  calls.on_ingested = [&, count = calls.on_ingested](const Report& report) {
    seen.push_back(threads(before));
    count(report);
  };
  BackgroundIngest kept(*store, keyring_, options(), scratch_.path() / "weft.db.lock", calls);
  kept.begin();
  ASSERT_TRUE(counts.await(counts.following, 1));
  for (int line = 2; line <= 6; ++line) {
    write("projects/-p/a.jsonl", prompt("a", line));
    ASSERT_TRUE(counts.await(counts.ingested, line));
  }
  kept.stop();
  ASSERT_GE(seen.size(), 6u);
  EXPECT_EQ(seen.front().size(), 3u) << "its own, the signing, the committing";
  for (const std::set<std::string>& ids : seen) EXPECT_EQ(ids, seen.front());
  EXPECT_EQ(web_of(*store), cold());
}

TEST_F(BackgroundIngestTest, WhatAnotherProcessForgetsDoesNotComeBackWithTheNextLine) {
  write("projects/-p/a.jsonl", prompt("a", 1));
  write("projects/-p/b.jsonl", prompt("b", 1));
  const auto store = open();
  const auto other = open();
  CallbackCounts counts;
  const auto kept = background_ingest(*store, counts);
  kept->begin();
  ASSERT_TRUE(counts.await(counts.following, 1));
  write("projects/-p/a.jsonl", prompt("a", 2));
  ASSERT_TRUE(counts.await(counts.ingested, 2));

  const auto rows = other->conversations({.session_id = "a"});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 1u);
  ASSERT_TRUE(forget(*other, keyring_, rows->front(), 2'000));
  write("projects/-p/a.jsonl", prompt("a", 3));
  write("projects/-p/b.jsonl", prompt("b", 2));
  ASSERT_TRUE(counts.await(counts.ingested, 3));
  write("projects/-p/b.jsonl", prompt("b", 3));  // both are through when this is
  ASSERT_TRUE(counts.await(counts.ingested, 4));
  EXPECT_TRUE(store->conversations({.session_id = "a"})->empty());
  EXPECT_EQ(store->conversations({.session_id = "b"})->size(), 1u);
}

// A run that fails leaves nothing behind: what it wove and could not commit does not count as
// known.
TEST_F(BackgroundIngestTest, TheRunAfterAFailedOneIsAsIfThatHadNotBeen) {
  write("projects/-p/a.jsonl", prompt("a", 1));
  const auto store = open();
  Ingester ingester(*store, keyring_, options());
  ASSERT_TRUE(ingester.ingest(options()));
  write("projects/-p/a.jsonl", prompt("a", 2));
  write("projects/-p/b.jsonl", prompt("b", 1));
  {
    auto rival =
        sqlite::open_database((scratch_.path() / "weft.db").string(), sqlite::Mode::read_write);
    ASSERT_TRUE(rival);
    ASSERT_TRUE(rival->script("ALTER TABLE archive RENAME TO gone"));
    Options small = options();
    small.commit_bytes = 1;
    const Result<Report> failed = ingester.ingest(small);
    EXPECT_FALSE(failed);
    ASSERT_TRUE(rival->script("ALTER TABLE gone RENAME TO archive"));
  }
  const Result<Report> report = ingester.ingest(options());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->conversations.size(), 2u);
  EXPECT_EQ(web_of(*store), cold());
}

}  // namespace
}  // namespace weft::ingest
