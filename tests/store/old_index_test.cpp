// Stores whose search index is FTS5's still: what is forgotten is gone from both indexes, and weft
// reindex brings such a store to the end of its upgrade.
#include <gmock/gmock.h>

#include <chrono>

#include "forget_for_test.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/sqlite/fts5/fts5_for_test.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

std::uint64_t count(const Web& web, const std::string& words) {
  const auto store = web.open();
  return store->snapshot()
      ->search({.query = search::parse_query(words), .keyring = &web.keyring})
      .value()
      .total;
}

class OldIndexStore : public testing::TestWithParam<int> {
 protected:
  OldIndexStore() {
    write_text(web_.dir / "gone.txt", heading("gone") + round_of("vanishing", 40));
    web_.ingest(web_.dir / "gone.txt");
    for (int i = 0; i < 20; ++i) {
      const std::string name = "kept" + std::to_string(i);
      write_text(web_.dir / (name + ".txt"), heading(name) + round_of(name, i));
      web_.ingest(web_.dir / (name + ".txt"));
    }
  }
  bool has_fts5() const {
    const auto database =
        sqlite::open_database(web_.store_path(), sqlite::Mode::read_write).value();
    store::sql::Rows rows =
        database.query("SELECT 1 FROM sqlite_master WHERE name LIKE 'search_clear%'");
    return rows.next();
  }
  Web web_;
};

// At the beginning, while the first index is carried over, and while FTS5's tables are emptied.
INSTANTIATE_TEST_SUITE_P(Pieces, OldIndexStore, testing::Values(0, 2, 12));

TEST_P(OldIndexStore, ForgetsInBothIndexes) {
  const std::uint64_t kept = count(web_, "kept7");
  ASSERT_GT(kept, 0u);
  ASSERT_GT(count(web_, "vanishing"), 0u);
  ASSERT_TRUE(store::sql::turn_to_version_16(web_.store_path()));
  {
    const auto store = web_.open();
    for (int i = 0; i < GetParam(); ++i) ASSERT_TRUE(store->filling().fill(web_.keyring, 0ms));
  }
  EXPECT_TRUE(has_fts5());
  EXPECT_GT(count(web_, "vanishing"), 0u);
  EXPECT_EQ(count(web_, "kept7"), kept);
  forget(web_, "gone");
  EXPECT_FALSE(has_fts5());
  EXPECT_EQ(count(web_, "vanishing"), 0u);
  EXPECT_EQ(count(web_, "kept7"), kept);
  EXPECT_THAT(read_text(web_.store_path()), testing::Not(testing::HasSubstr("vanishing")));
  expect_sound(web_);
}

}  // namespace
}  // namespace weft
