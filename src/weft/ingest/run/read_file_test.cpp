// A small file is kept without a state at first: when it grows, its beginning is read again.
#include <gtest/gtest.h>

#include <fstream>

#include "weft/ingest/ingest.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

std::string prompts(int from, int to, std::size_t filling) {
  std::string text;
  for (int i = from; i < to; ++i) {
    const std::string n = std::to_string(i);
    text += R"({"type":"user","uuid":"u)" + n + R"(","sessionId":"s","timestamp":"2026-02-01T10:)" +
            std::to_string(10 + i % 50) + R"(:00Z","message":{"role":"user","content":"prompt )" +
            n + std::string(filling, '.') + "\"}}\n";
  }
  return text;
}

class GrowingFile : public testing::Test {
 protected:
  void append(const std::string& text) {
    std::ofstream(path_, std::ios::binary | std::ios::app) << text;
  }
  Report take(store::Store& store) {
    auto report = ingest(store, keyring_,
                         {.paths = {path_}, .clock = [] { return Millis{1'770'000'000'000}; }});
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : Report();
  }
  std::unique_ptr<store::Store> open(const std::string& name) {
    return store::open_store(scratch_.path() / name, store::Create::yes).value();
  }
  store::Source source(store::Store& store) {
    const auto all = store.sources().all().value();
    EXPECT_EQ(all.size(), 1u);
    return all.at(0);
  }

  store::Scratch scratch_;
  fs::path path_ = scratch_.path() / "s.jsonl";
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
};

TEST_F(GrowingFile, HasAStateOnceItHasGrown) {
  const auto store = open("grown.db");
  append(prompts(0, 20, 100));
  take(*store);
  EXPECT_TRUE(source(*store).state.empty());
  append(prompts(20, 21, 100));
  take(*store);
  EXPECT_FALSE(source(*store).state.empty());
  append(prompts(21, 30, 100));
  take(*store);
  EXPECT_EQ(source(*store).generation, 0u) << "what was archived is not archived again";
  EXPECT_EQ(source(*store).lines, 30u);
  const auto cold = open("cold.db");
  take(*cold);
  EXPECT_EQ(web_of(*store), web_of(*cold));
}

TEST_F(GrowingFile, ReportsALineThatItSkippedOnce) {
  const auto store = open("skipping.db");
  append(prompts(0, 3, 10) + "{broken\n");
  EXPECT_EQ(take(*store).skipped.size(), 1u);
  append(prompts(3, 4, 10));
  EXPECT_TRUE(take(*store).skipped.empty());
}

TEST_F(GrowingFile, HasAStateFromTheStartIfItIsLarge) {
  const auto store = open("large.db");
  append(prompts(0, 60, 10'000));
  take(*store);
  EXPECT_FALSE(source(*store).state.empty());
}

TEST_F(GrowingFile, IsReadWholeIfItsBeginningChanged) {
  const auto store = open("rewritten.db");
  append(prompts(0, 5, 10));
  take(*store);
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << prompts(3, 20, 10);
  take(*store);
  EXPECT_EQ(source(*store).generation, 1u);
  EXPECT_EQ(source(*store).lines, 17u);
}

}  // namespace
}  // namespace weft::ingest
