// The web that an ingest weaves does not depend on the number of its threads, nor on their timing.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "weft/ingest/ingest.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

std::string record(int session, int number, std::string_view author, const std::string& content) {
  const std::string name = std::to_string(session) + "-" + std::to_string(number);
  return R"({"type":")" + std::string(author) + R"(","uuid":"u)" + name + R"(","sessionId":"s)" +
         std::to_string(session) + R"(","timestamp":"2026-02-01T10:00:00Z","message":{"role":")" +
         std::string(author) + R"(","content":[)" + content + "]}}\n";
}

// A session with sealed reasoning, calls and their results.
std::string session(int number, int rounds) {
  std::string text;
  for (int i = 0; i < rounds; ++i) {
    const std::string n = std::to_string(i);
    const std::string filling(500 + static_cast<std::size_t>(i * 37 % 900), '.');
    text +=
        record(number, 4 * i, "user", R"({"type":"text","text":"question )" + n + filling + "\"}");
    text += record(number, 4 * i + 1, "assistant",
                   R"({"type":"thinking","thinking":"reason )" + n + filling + "\"}");
    text += record(number, 4 * i + 2, "assistant",
                   R"({"type":"tool_use","id":"t)" + n + R"(","name":"Bash","input":{}})");
    text += record(number, 4 * i + 3, "user",
                   R"({"type":"tool_result","tool_use_id":"t)" + n + R"(","content":"done"})");
  }
  return text;
}

class Threads : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 12; ++i) {
      files_.push_back(scratch_.path() / (std::to_string(i) + ".jsonl"));
      std::ofstream(files_.back(), std::ios::binary) << session(i, 3 + i * 7 % 20);
    }
  }
  // What was stored, and the log of checkpoints, which names all of it in order.
  std::pair<std::set<Cid>, std::vector<Cid>> take(unsigned at_once) {
    const fs::path path = scratch_.path() / ("store" + std::to_string(++stores_) + ".db");
    const auto store = store::open_store(path, store::Create::yes).value();
    const Options options{.paths = files_,
                          .clock = [] { return Millis{1'770'000'000'000}; },
                          .commit_bytes = 24u << 10,
                          .at_once = at_once};
    const Result<Report> report = ingest(*store, keyring_, options);
    EXPECT_TRUE(report) << report.error().message;
    return {web_of(*store), store->audit().checkpoint_log().value()};
  }

  store::Scratch scratch_;
  std::vector<fs::path> files_;
  int stores_ = 0;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
};

TEST_F(Threads, DoNotShowInTheWeb) {
  const auto alone = take(1);
  EXPECT_EQ(alone.second.size(), files_.size()) << "a checkpoint for each session";
  std::vector<unsigned> runs;
  for (int i = 0; i < 20; ++i) {
    for (const unsigned at_once : {1u, 2u, 8u}) runs.push_back(at_once);
  }
  if (!test_is_long()) {
    const unsigned seed = test_seed();
    SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
    std::mt19937 random(seed);
    std::ranges::shuffle(runs, random);
    runs.resize(4);
    runs.push_back(8);
  }
  for (const unsigned at_once : runs) {
    SCOPED_TRACE(at_once);
    EXPECT_EQ(take(at_once), alone);
  }
}

}  // namespace
}  // namespace weft::ingest
