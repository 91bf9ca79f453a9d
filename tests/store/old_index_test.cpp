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

enum class Moment { upgraded, carried_in_part, carried_over };

class OldIndexStore : public testing::TestWithParam<Moment> {
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
    return has_row("SELECT 1 FROM sqlite_master WHERE name LIKE 'search_clear%'");
  }
  bool is_carried_over() const { return !has_row("SELECT 1 FROM index_runs WHERE part >= 3"); }
  bool has_row(store::sql::Sql sql) const {
    const auto database =
        sqlite::open_database(web_.store_path(), sqlite::Mode::read_write).value();
    store::sql::Rows rows = database.query(sql);
    return rows.next();
  }
  Web web_;
};

INSTANTIATE_TEST_SUITE_P(Moments, OldIndexStore,
                         testing::Values(Moment::upgraded, Moment::carried_in_part,
                                         Moment::carried_over));

TEST_P(OldIndexStore, ForgetsInBothIndexes) {
  const std::uint64_t kept = count(web_, "kept7");
  ASSERT_GT(kept, 0u);
  ASSERT_GT(count(web_, "vanishing"), 0u);
  ASSERT_TRUE(store::sql::turn_to_version_16(web_.store_path()));
  {
    const auto store = web_.open();
    auto is_reached = [&, steps = 0]() mutable {
      switch (GetParam()) {
        case Moment::upgraded: return true;
        case Moment::carried_in_part: return steps++ == 2;
        case Moment::carried_over: return is_carried_over();  // FTS5's tables are still there
      }
      return true;
    };
    while (!is_reached()) ASSERT_TRUE(store->filling().fill(web_.keyring, 0ms));
  }
  EXPECT_TRUE(has_fts5());
  EXPECT_GT(count(web_, "vanishing"), 0u);
  EXPECT_EQ(count(web_, "kept7"), kept);
  forget(web_, "gone");
  EXPECT_FALSE(has_fts5());
  EXPECT_EQ(count(web_, "vanishing"), 0u);
  EXPECT_EQ(count(web_, "kept7"), kept);
  EXPECT_FALSE(read_text(web_.store_path()).contains("vanishing"));
  expect_sound(web_);
}

}  // namespace
}  // namespace weft
