// What is peculiar to how SQLite's writer lays things out.
#include "weft/store/sql/write/writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_backend.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

std::int64_t count(const PlainDatabase& database, Sql sql) {
  Rows rows = database.query(sql);
  return rows.next() ? rows.integer(0) : -1;
}

TEST(SqliteWriter, FindsEveryNameHoweverManyCommitsTheyCameIn) {
  const Scratch scratch;
  const std::string path = scratch.path() / "weft.db";
  RowWriter writer(to_store(open_store_file(path, Create::yes).value()));
  Reader reader(to_store(open_reader(path).value()));
  Talk talk("s1");
  std::vector<Cid> said;
  for (int i = 0; i < 30; ++i) {
    said.push_back(talk.says(std::to_string(i)));
    ASSERT_TRUE(writer.commit(talk.batch()));
    EXPECT_EQ(count(writer.database(),
                    "SELECT (SELECT sum(names) FROM name_runs) - (SELECT count(*) FROM thoughts) - "
                    "(SELECT count(*) FROM connections)"),
              0);
    for (const Cid& cid : said) {
      ASSERT_TRUE(reader.get(cid));
      EXPECT_EQ(reader.find_by_prefix(cid.brief(20), 2).value(), std::vector{cid});
    }
  }
  EXPECT_EQ(count(writer.database(), "SELECT count(*) FROM name_runs"), 1) << "small ones merge";
  const std::vector<Cid> all = reader.find_by_prefix("", 10'000).value();
  EXPECT_TRUE(std::ranges::is_sorted(all));
  EXPECT_EQ(static_cast<std::int64_t>(all.size()),
            count(writer.database(),
                  "SELECT (SELECT count(*) FROM thoughts) + (SELECT count(*) FROM connections)"));
}

// What is signed alone comes before the checkpoint's own id, structure after it.
TEST(SqliteWriter, KeepsLeavesAsTwoRanges) {
  const Scratch scratch;
  RowWriter writer(to_store(open_store_file(scratch.path() / "weft.db", Create::yes).value()));
  Talk talk("s1");
  for (int i = 0; i < 100; ++i) talk.says(std::to_string(i));
  ASSERT_TRUE(writer.commit(talk.batch()));
  EXPECT_LE(count(writer.database(), "SELECT length(leaves) FROM checkpoints"), 6);
  Rows rows = writer.database().query("SELECT leaves FROM checkpoints");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(unpack_leaves(rows.bytes(0))->size(), 2u);
}

}  // namespace
}  // namespace weft::store::sql
