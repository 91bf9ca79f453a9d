#include "weft/store/sqlite/sums/table_sums.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/base/hex.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/write/writer.hpp"
#include "weft/store/sqlite/fts5/fts5_for_test.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_backend.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

std::string hex_of(const RowHash& hash) {
  const std::string bytes = to_bytes(hash);
  return to_hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

TEST(RowHash, AddsAndSubtractsAcrossItsHalves) {
  const RowHash one{.low = 1}, most{.high = 7, .low = ~std::uint64_t{0}};
  EXPECT_EQ(most + one, (RowHash{.high = 8, .low = 0}));
  EXPECT_EQ(most + one - one, most);
  EXPECT_EQ(RowHash{} - one + one, RowHash{});
  EXPECT_EQ(to_row_hash(to_bytes(most)), most);
}

// docs/formats/store.md, "Worked example".
TEST(RowHash, OfTheWorkedExample) {
  RowHasher hasher;
  hasher.add_integer(640);
  hasher.add_integer(701);
  hasher.add_integer(3);
  const RowHash run = hasher.finish();
  hasher.add_text("effects");
  hasher.add_null();
  hasher.add_blob("\x08");
  const RowHash other = hasher.finish();
  EXPECT_EQ(hex_of(run), "60abb554f07ea2fdcf2f8cab015a5710");
  EXPECT_EQ(hex_of(run + other), "53281cdcf11faf184cec18b231750b05");
}

class TableSumsTest : public testing::Test {
 protected:
  std::string path() const { return scratch_.path() / "weft.db"; }
  // That every table has its sum, and that it is that of its rows.
  void expect_sums_to_be_true(const PlainDatabase& database) const {
    EXPECT_TRUE(has_all_sums(database).value());
    std::vector<std::string> tables = summed_tables(database).value();
    tables.emplace_back("table_sums");
    for (const std::string& table : tables) {
      EXPECT_EQ(find_sum(database, table).value(), sum_rows(database, table).value()) << table;
    }
  }

  Scratch scratch_;
  Talk talk_{"s1"};
};

TEST_F(TableSumsTest, CoverEveryTableThatHoldsRows) {
  const PlainDatabase database = open_store_file(path(), Create::yes).value();
  const std::vector<std::string> tables = summed_tables(database).value();
  for (const char* table : {"thoughts", "edge_pages", "names", "places", "sources", "archive",
                            "index_runs", "index_pages", "checkpoints", "wipes"}) {
    EXPECT_THAT(tables, Contains(table));
  }
  EXPECT_THAT(tables, Not(Contains(StartsWith("search_clear"))));  // those of FTS5 are gone
  expect_sums_to_be_true(database);
}

TEST_F(TableSumsTest, FollowEveryCommit) {
  RowWriter writer(to_store(open_store_file(path(), Create::yes).value()));
  for (int i = 0; i < 20; ++i) {
    talk_.says("words that are found " + std::to_string(i));
    talk_.facts(std::to_string(i));
    if (i == 10) talk_.restates(3, talk_.says("another"));
    ASSERT_TRUE(writer.commit(talk_.batch()));
  }
  expect_sums_to_be_true(writer.database());
  EXPECT_GT(find_sum(writer.database(), "places").value()->rows, 20);
}

TEST_F(TableSumsTest, DoNotFollowWhatWasRolledBack) {
  RowWriter writer(to_store(open_store_file(path(), Create::yes).value()));
  talk_.says("a");
  ASSERT_TRUE(writer.commit(talk_.batch()));
  Talk rival("s1");
  rival.says("b");
  EXPECT_EQ(writer.commit(rival.batch()).error().code, ErrorCode::conflict);
  talk_.says("c");
  ASSERT_TRUE(writer.commit(talk_.batch()));
  expect_sums_to_be_true(writer.database());
}

TEST_F(TableSumsTest, RefuseACommitThatDoesNotFlushThem) {
  const PlainDatabase database = open_store_file(path(), Create::yes).value();
  TableSums sums(database);
  sums.follow();
  {
    auto transaction = Transaction::begin(database, Transaction::Kind::immediate).value();
    ASSERT_TRUE(database.run("INSERT INTO wipes (tombstone) VALUES (1)"));
    EXPECT_FALSE(transaction.commit());
  }
  auto transaction = Transaction::begin(database, Transaction::Kind::immediate).value();
  ASSERT_TRUE(database.run("INSERT INTO wipes (tombstone) VALUES (2)"));
  ASSERT_TRUE(sums.flush());
  EXPECT_TRUE(transaction.commit());
  expect_sums_to_be_true(database);
}

// A store as version 8 left it: without sums.
class StoreOfVersion8 : public TableSumsTest {
 protected:
  void SetUp() override {
    {
      RowWriter writer(to_store(open_store_file(path(), Create::yes).value()));
      talk_.says("a");
      ASSERT_TRUE(writer.commit(talk_.batch()));
    }
    ASSERT_TRUE(turn_to_version_16(path()));
    const PlainDatabase raw = open_reader(path()).value();
    ASSERT_TRUE(
        raw.script("DROP TABLE table_sums; DROP TABLE late_tables; DROP TABLE catalogue;"
                   "DROP TABLE tallies; DROP TABLE tally_days; DROP TABLE requests;"
                   "DROP TABLE request_pages; DROP TABLE request_sums; DROP TABLE outlines; DROP "
                   "TABLE outline_pages;"
                   "DROP TABLE edits; DROP TABLE edit_pages; DROP TABLE edit_names;"
                   "DROP TABLE secrets; DROP TABLE secret_pages;"
                   "DROP TRIGGER upgraded_names;"
                   "DROP TRIGGER upgraded_sources; DROP TRIGGER upgraded_index;"
                   "DROP TRIGGER upgraded_wipes; PRAGMA user_version = 8"));
  }
};

TEST_F(StoreOfVersion8, IsReadAndCheckedAsItIs) {
  const auto store = open_store_to_read(path()).value();
  EXPECT_FALSE(store->derived().has_sums().value());
  const auto checks = store->derived().checks(CheckDepth::full).value();
  for (const StoreCheck& check : checks) {
    for (const StoreFinding& finding : store->derived().run(check).value()) {
      ADD_FAILURE() << finding.table << ": " << finding.what;
    }
  }
}

TEST_F(StoreOfVersion8, GetsItsSumsByTheNextCommits) {
  RowWriter writer(to_store(open_store_file(path(), Create::no).value()));
  EXPECT_FALSE(has_all_sums(writer.database()).value()) << "a migration reads no whole store";
  const std::size_t tables = summed_tables(writer.database()).value().size();
  for (std::size_t i = 0; i <= tables; ++i) {
    talk_.says(std::to_string(i));
    ASSERT_TRUE(writer.commit(talk_.batch()));
  }
  expect_sums_to_be_true(writer.database());
}

TEST_F(StoreOfVersion8, GetsItsSumsByARebuild) {
  const auto store = open_store(path(), Create::no).value();
  EXPECT_FALSE(store->derived().has_sums().value());
  EXPECT_TRUE(store->derived().rebuild({}, {}).value().lost.empty());
  EXPECT_TRUE(store->derived().has_sums().value());
  expect_sums_to_be_true(open_reader(path()).value());
}

}  // namespace
}  // namespace weft::store::sql
