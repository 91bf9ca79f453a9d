// An ingest that is stopped keeps what it committed, and another one resumes from there. One with
// fewer threads weaves the same.
#include <gtest/gtest.h>

#include <fstream>

#include "weft/ingest/ingest.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

std::string talk(const std::string& name, int rounds) {
  std::string text = "Session: " + name + "\n\n";
  for (int i = 0; i < rounds; ++i) {
    text += "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"question " + std::to_string(i) +
            " of " + name + "\"}]\n\n" + std::string(80, '=') + "\n";
    text += "Assistant:\nContent:\n[{\"type\":\"text\",\"text\":\"answer " + std::to_string(i) +
            std::string(10'000, '.') + "\"}]\n\n" + std::string(80, '=') + "\n";
  }
  return text;
}

// A format that grows line by line.
std::string session(int rounds) {
  std::string text;
  for (int i = 0; i < rounds; ++i) {
    const std::string n = std::to_string(i);
    text += R"({"type":"user","uuid":"u)" + n +
            R"(","sessionId":"s","timestamp":"2026-02-01T10:00:00Z","message":{"role":"user",)" +
            R"("content":"question )" + n + std::string(10'000, '.') + "\"}}\n";
  }
  return text;
}

class Stop : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(scratch_.path() / name, std::ios::binary) << text;
    return scratch_.path() / name;
  }
  std::unique_ptr<store::Store> open(const std::string& name) {
    auto store = store::open_store(scratch_.path() / name, store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  Report take(store::Store& store, Options options) {
    options.clock = [] { return Millis{1'770'000'000'000}; };
    auto report = ingest(store, keyring_, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : Report();
  }
  // Ingests, and stops as soon as `when` holds of the progress.
  Report take_until(store::Store& store, Options options,
                    const std::function<bool(const Progress&)>& when) {
    std::stop_source stopper;
    options.stop = stopper.get_token();
    options.progress = [&](const Progress& progress) {
      if (when(progress)) stopper.request_stop();
    };
    return take(store, std::move(options));
  }

  store::Scratch scratch_;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
};

TEST_F(Stop, BetweenFilesWhatWasReadIsKeptAndTheRestIsForTheNextRun) {
  const std::vector<fs::path> files = {write("a.txt", talk("a", 2)), write("b.txt", talk("b", 2)),
                                       write("c.txt", talk("c", 2))};
  const auto store = open("stopped.db");
  const Report first = take_until(*store, {.paths = files},
                                  [](const Progress& progress) { return progress.files == 2; });
  EXPECT_TRUE(first.stopped);
  EXPECT_EQ(first.files, 2u);
  EXPECT_EQ(first.conversations.size(), 2u);
  EXPECT_EQ(store->conversations({})->size(), 2u);

  const Report second = take(*store, {.paths = files});
  EXPECT_FALSE(second.stopped);
  EXPECT_EQ(second.unchanged, 2u);
  const auto calm = open("calm.db");
  take(*calm, {.paths = files});
  EXPECT_EQ(web_of(*store), web_of(*calm));
}

TEST_F(Stop, WithinAFileTheNextRunMakesItWhole) {
  for (const fs::path& file :
       {write("long.txt", talk("long", 300)), write("s.jsonl", session(300))}) {
    SCOPED_TRACE(file.filename());
    const std::string name = file.stem().string();
    const Options options{.paths = {file}, .commit_bytes = 64u << 10};
    const auto store = open(name + "-stopped.db");
    const Report first =
        take_until(*store, options, [](const Progress& progress) { return progress.bytes > 0; });
    EXPECT_TRUE(first.stopped);
    const auto calm = open(name + "-calm.db");
    EXPECT_FALSE(take(*calm, options).stopped);
    const std::set<Cid> whole = web_of(*calm), part = web_of(*store);
    EXPECT_GT(part.size(), 100u);
    EXPECT_LT(part.size(), whole.size());
    EXPECT_TRUE(std::ranges::includes(whole, part));

    EXPECT_FALSE(take(*store, options).stopped);
    EXPECT_EQ(web_of(*store), whole);
  }
}

TEST_F(Stop, BeforeItBeganNothingIsRead) {
  const fs::path file = write("a.txt", talk("a", 1));
  std::stop_source stopper;
  stopper.request_stop();
  const auto store = open("stopped.db");
  const Report report = take(*store, {.paths = {file}, .stop = stopper.get_token()});
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.files, 0u);
  EXPECT_TRUE(store->conversations({})->empty());
}

TEST_F(Stop, OneThreadAtATimeWeavesTheSame) {
  const std::vector<fs::path> files = {write("a.txt", talk("a", 40)), write("s.jsonl", session(60)),
                                       write("b.txt", talk("b", 3))};
  const auto alone = open("alone.db"), together = open("together.db");
  const Report report = take(*alone, {.paths = files, .commit_bytes = 32u << 10, .at_once = 1});
  EXPECT_EQ(report.files, 3u);
  take(*together, {.paths = files});
  EXPECT_EQ(web_of(*alone), web_of(*together));
}

// Weaving on a failed look-up could store a thought twice, or one that was forgotten.
TEST_F(Stop, AFailedLookUpEndsTheRunAndCommitsNothing) {
  const fs::path file = write("a.jsonl", session(3));
  const auto store = open("failing.db");
  const auto database =
      sqlite::open_database(scratch_.path() / "failing.db", sqlite::Mode::read_write);
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->script("ALTER TABLE forgotten RENAME TO elsewhere"));
  const Options options{.paths = {file}, .clock = [] { return Millis{1'770'000'000'000}; }};
  const Result<Report> report = ingest(*store, keyring_, options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::internal);
  EXPECT_TRUE(store->conversations({})->empty());
  EXPECT_TRUE(store->sources().all()->empty()) << "the file is read again by the next run";
  ASSERT_TRUE(database->script("ALTER TABLE elsewhere RENAME TO forgotten"));
  EXPECT_EQ(take(*store, {.paths = {file}}).conversations.size(), 1u);
}

}  // namespace
}  // namespace weft::ingest
