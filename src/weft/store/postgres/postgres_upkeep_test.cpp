#include "weft/store/upkeep.hpp"

#include <gtest/gtest.h>

#include "weft/base/try.hpp"
#include "weft/postgres/postgres_for_test.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/inverted/texts_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/postgres/postgres_store.hpp"
#include "weft/store/sql/index_tables.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store {
namespace {

using sql::InvertedIndex;
using std::chrono::milliseconds;

class PostgresUpkeep : public testing::Test {
 protected:
  PostgresUpkeep() {
    if (postgres::is_built()) {
      schema.emplace();
      store = sql::open_postgres_store(schema->url(), Create::yes).value();
    }
  }
  void SetUp() override {
    if (!schema) GTEST_SKIP() << "built without libpq";
  }
  std::unique_ptr<Upkeep> open() const { return open_upkeep(schema->url()).value(); }
  void commit(Talk& talk) const { ASSERT_TRUE(store->writer().commit(talk.batch())); }

  std::optional<postgres::TestSchema> schema;
  std::unique_ptr<Store> store;
};

TEST_F(PostgresUpkeep, HasOneKeeperUntilItsTimeIsOverOrItLetsGo) {
  const auto one = open(), two = open();
  EXPECT_FALSE(one->note().value());
  EXPECT_TRUE(one->hold("one", milliseconds(60'000), "{\"a\":1}").value());
  EXPECT_FALSE(two->hold("two", milliseconds(60'000), "{\"b\":1}").value());
  EXPECT_TRUE(one->hold("one", milliseconds(60'000), "{\"a\":2}").value()) << "it goes on";
  const auto note = two->note().value();
  ASSERT_TRUE(note);
  EXPECT_EQ(note->holder, "one");
  EXPECT_EQ(note->report, "{\"a\":2}");
  EXPECT_TRUE(note->is_current);
  ASSERT_TRUE(two->let_go("two"));
  EXPECT_TRUE(two->note().value()->is_current) << "nobody lets go for another one";
  ASSERT_TRUE(one->let_go("one"));
  EXPECT_FALSE(two->note().value()->is_current);
  EXPECT_TRUE(two->hold("two", milliseconds(0), "{}").value());
  EXPECT_TRUE(one->hold("one", milliseconds(60'000), "{}").value()) << "the time was over";
}

TEST_F(PostgresUpkeep, AWebThatWasNotMigratedHasNoKeeper) {
  const auto database = postgres::open_database(schema->url()).value();
  ASSERT_TRUE(database.script("DROP TABLE keeper"));
  EXPECT_FALSE(open()->note().value());
  EXPECT_FALSE(open()->hold("one", milliseconds(1'000), "{}"));
}

TEST_F(PostgresUpkeep, FindsWhatWasAddedOnceAndWhatBecameVisibleLate) {
  const auto upkeep = open();
  Talk first("first"), second("second");
  first.says("one");
  commit(first);
  const Added all = upkeep->added_since({}, 100).value();
  EXPECT_FALSE(all.ranges.empty());
  EXPECT_EQ(all.behind, 0u);
  EXPECT_TRUE(upkeep->added_since(all.mark, 100).value().ranges.empty());
  second.says("two");
  commit(second);
  const Added more = upkeep->added_since(all.mark, 100).value();
  ASSERT_EQ(more.ranges.size(), 1u);
  EXPECT_EQ(more.ranges[0].token[0], all.mark.row + 1);
  // As if the rows had been seen before the commit was.
  const Added late = upkeep->added_since({.row = more.mark.row, .log = all.mark.log}, 100).value();
  ASSERT_EQ(late.ranges.size(), 1u);
  EXPECT_GT(late.ranges[0].token[0], all.mark.row);
  EXPECT_LE(late.ranges[0].token[1], more.mark.row);
  const Added few = upkeep->added_since({}, 0).value();
  EXPECT_TRUE(few.ranges.empty());
  EXPECT_EQ(few.behind, static_cast<std::uint64_t>(more.mark.row));
}

// Runs as they are if writers do not merge.
TEST_F(PostgresUpkeep, MergesTheSearchIndexPieceByPieceAndChangesNoAnswer) {
  const auto database = sql::open_postgres_database(schema->url()).value();
  const auto count_runs = [&] {
    return sql::IndexTables(database).runs(sql::Index::clear).value().size();
  };
  for (sql::Document document = 1; document <= 24; ++document) {
    auto transaction = sql::Transaction::begin(database, sql::Transaction::Kind::immediate).value();
    sql::IndexTables pages(database);
    sql::RunBuilder builder(sql::Index::clear);
    builder.add(document, sql::packed_terms_of("loom word" + std::to_string(document)));
    ASSERT_TRUE(InvertedIndex(pages, sql::Index::clear).add(builder));
    ASSERT_TRUE(transaction.commit());
  }
  EXPECT_EQ(count_runs(), 24u);
  const auto find = [&] {
    sql::IndexTables pages(database);
    return InvertedIndex(pages, sql::Index::clear).find({.terms = {"loom"}}).value().size();
  };
  EXPECT_EQ(find(), 24u);
  const auto upkeep = open();
  int pieces = 0;
  while (upkeep->merge().value()) ASSERT_LT(++pieces, 1'000);
  EXPECT_LT(count_runs(), InvertedIndex::kRunsOfOneLevel * 2);
  EXPECT_EQ(find(), 24u);
  EXPECT_TRUE(upkeep->analyze());
}

}  // namespace
}  // namespace weft::store
