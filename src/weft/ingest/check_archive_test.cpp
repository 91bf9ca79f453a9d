#include "weft/ingest/check_archive.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "weft/ingest/ingest.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

class CheckArchive : public testing::Test {
 protected:
  void append(int number) {
    std::ofstream(file_, std::ios::binary | std::ios::app)
        << R"({"type":"user","uuid":"u)" << number
        << R"(","sessionId":"s","timestamp":"2026-02-01T10:00:0)" << number
        << R"(Z","message":{"role":"user","content":"question )" << number << "\"}}\n";
  }
  void take() {
    const auto report = ingest(
        *store_, keyring_, {.paths = {file_}, .clock = [] { return Millis{1'770'000'000'000}; }});
    ASSERT_TRUE(report) << report.error().message;
  }
  std::size_t findings(const auto& checks) {
    std::size_t count = 0;
    for (const auto& check : checks) count += check()->size();
    return count;
  }

  const store::Scratch scratch_;
  const fs::path file_ = scratch_.path() / "session.jsonl";
  const crypto::Keyring keyring_ =
      *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  std::unique_ptr<store::Store> store_ =
      *store::open_store(scratch_.path() / "weft.db", store::Create::yes);
};

// Once verify now and then called a file damaged that a running watch had just added to.
TEST_F(CheckArchive, AFileThatGrowsMeanwhileIsWhole) {
  append(1);
  take();
  const auto checks = archive_checks(*store_, keyring_);
  ASSERT_TRUE(checks) << checks.error().message;
  append(2);
  take();
  EXPECT_EQ(findings(*checks), 0u);
}

TEST_F(CheckArchive, AMissingPieceIsFound) {
  append(1);
  take();
  store_.reset();
  const Status removed =
      sqlite::open_database(scratch_.path() / "weft.db", sqlite::Mode::read_write)
          ->script("DELETE FROM archive");
  ASSERT_TRUE(removed) << removed.error().message;
  store_ = *store::open_store(scratch_.path() / "weft.db", store::Create::yes);
  EXPECT_EQ(findings(*archive_checks(*store_, keyring_)), 1u);
}

}  // namespace
}  // namespace weft::ingest
