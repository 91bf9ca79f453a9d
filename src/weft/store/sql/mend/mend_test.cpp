// Changes single bits of a store, mends it, and compares all rows with what they were.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <random>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/dump_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scan_for_test.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/mend/bit_search.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// What was lost, in words.
std::vector<std::string> words_of(const std::vector<LostRow>& lost) {
  std::vector<std::string> words;
  for (const LostRow& row : lost) {
    words.push_back(row.table + " " + (row.cid ? row.cid->brief() : "") + " " + row.type + ": " +
                    row.reason);
  }
  return words;
}

class Mend : public testing::Test {
 protected:
  void SetUp() override {
    talk_.says("a text that is long enough to be packed: the same, the same, the same, the same");
    talk_.thinks("sealed");
    talk_.turn("assistant");
    block_ = talk_.says("short");
    thought::Thought block;
    block.type = "test/response";
    block.because = {{.thought = block_, .anchor = thought::Anchor{"s", "", "hort"}}};
    talk_.stands(block);
    talk_.facts("a title");
    talk_.connect_signed("uses_input", talk_.owner(), talk_.cid());
    commit(talk_);
    talk_.says("more, in a second commit");
    commit(talk_);
    whole_ = dump(path());
  }
  void commit(Talk& talk) const {
    ASSERT_TRUE(open()->writer().commit(talk.batch()));
    PlainDatabase database = raw();
    ASSERT_TRUE(database.script("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  std::string path() const { return scratch_.path() / "weft.db"; }
  std::unique_ptr<Store> open() const { return open_store(path(), Create::yes).value(); }
  PlainDatabase raw() const {
    PlainDatabase database = open_store_file(path(), Create::no).value();
    EXPECT_TRUE(database.script("PRAGMA synchronous = OFF"));
    return database;
  }
  MendReport mend() const {
    Result<MendReport> report = open()->mending().mend({.threads = 2});
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(MendReport{});
  }
  // All that a reader sees of the thoughts.
  std::vector<thought::Thought> thoughts() const {
    const Scan all = scan(*open());
    EXPECT_THAT(all.broken, IsEmpty());
    return all.thoughts;
  }

  struct Column {
    std::string table, key, name;
    bool is_blob = true;
  };
  struct Cell {
    Column column;
    std::int64_t key = 0;
    std::size_t bits = 0;
  };
  // Every value of a column.
  std::vector<Cell> cells(const Column& column) const {
    std::vector<Cell> found;
    const PlainDatabase database = raw();
    const std::string sql = "SELECT " + column.key + ", length(" + column.name + ") FROM " +
                            column.table + " WHERE " + column.name + " IS NOT NULL";
    sqlite::Statement statement(sqlite::handle_of(database), sql.c_str());
    Rows rows = statement.query();
    while (rows.next()) {
      const auto size = static_cast<std::size_t>(rows.integer(1));
      found.push_back({column, rows.integer(0), column.is_blob ? size * 8 : 63});
    }
    EXPECT_TRUE(rows.status());
    return found;
  }
  void flip(const Cell& cell, std::size_t bit) const {
    const auto& [table, key, name, is_blob] = cell.column;
    const PlainDatabase database = raw();
    const std::string where = " WHERE " + key + " = " + std::to_string(cell.key);
    if (!is_blob) {
      const std::string mask = std::to_string(std::int64_t{1} << bit);
      const std::string sql = "UPDATE " + table + " SET " + name + " = (" + name + " | " + mask +
                              ") - (" + name + " & " + mask + ")" + where;
      // A key may be taken.
      std::ignore = database.script(sql.c_str());
      return;
    }
    const std::string select = "SELECT CAST(" + name + " AS BLOB) FROM " + table + where;
    std::string bytes;
    {
      sqlite::Statement statement(sqlite::handle_of(database), select.c_str());
      Rows rows = statement.query();
      ASSERT_TRUE(rows.next());
      bytes = with_bit_changed(std::string(rows.bytes(0)), bit);
    }
    const std::string value = table == "words" ? "CAST(? AS TEXT)" : "?";
    const std::string update = "UPDATE " + table + " SET " + name + " = " + value + where;
    sqlite::Statement statement(sqlite::handle_of(database), update.c_str());
    ASSERT_TRUE(statement.run(Blob{bytes}));
  }

  // Changes bits of a column one at a time: a sample, ten times as large in a long test.
  void changed_bits_are_mended(const Column& column) {
    const std::size_t tries = test_is_long() ? 40 : 4;
    const unsigned seed = test_seed();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<std::pair<Cell, std::size_t>> bits;
    for (const Cell& cell : cells(column)) {
      for (std::size_t bit = 0; bit < cell.bits; ++bit) bits.emplace_back(cell, bit);
    }
    ASSERT_FALSE(bits.empty()) << column.table << "." << column.name;
    std::ranges::shuffle(bits, random);
    bits.resize(std::min(bits.size(), tries));
    const std::vector<thought::Thought> before = thoughts();
    for (const auto& [cell, bit] : bits) {
      SCOPED_TRACE(column.table + "." + column.name + " of " + std::to_string(cell.key) + ", bit " +
                   std::to_string(bit));
      flip(cell, bit);
      const MendReport report = mend();
      ASSERT_THAT(words_of(report.lost), IsEmpty());
      const std::set<std::string> different = differences(dump(path()), whole_);
      if (different.empty()) continue;
      // Some bits mean nothing: the row is read as before.
      ASSERT_THAT(report.mended, IsEmpty());
      ASSERT_THAT(different, ElementsAre(column.table));
      ASSERT_EQ(thoughts(), before);
      flip(cell, bit);
    }
  }

  Scratch scratch_;
  Talk talk_{"s1"};
  Cid block_;
  Dump whole_;
};

TEST_F(Mend, ChangesNothingInASoundStore) {
  const MendReport report = mend();
  EXPECT_THAT(report.mended, IsEmpty());
  EXPECT_THAT(words_of(report.lost), IsEmpty());
  EXPECT_THAT(differences(dump(path()), whole_), IsEmpty());
}

TEST_F(Mend, BringsBackChangedBitsOfEveryColumnOfThoughts) {
  for (const auto& [name, is_blob] : {std::pair("id", false),
                                      {"type", false},
                                      {"created_by", false},
                                      {"created_at", false},
                                      {"source", false},
                                      {"because", true},
                                      {"signature", true},
                                      {"metadata", true},
                                      {"content", true},
                                      {"body", true}}) {
    if (std::string_view(name) == "source") continue;  // Talk has none: tests/store/repair_test.cpp
    ASSERT_NO_FATAL_FAILURE(changed_bits_are_mended({"thoughts", "id", name, is_blob}));
  }
}

TEST_F(Mend, BringsBackChangedBitsOfNamesWordsConnectionsAndLeaves) {
  ASSERT_NO_FATAL_FAILURE(changed_bits_are_mended({"names", "id", "cid"}));
  ASSERT_NO_FATAL_FAILURE(changed_bits_are_mended({"words", "id", "text"}));
  ASSERT_NO_FATAL_FAILURE(changed_bits_are_mended({"edge_pages", "first", "edges"}));
  ASSERT_NO_FATAL_FAILURE(changed_bits_are_mended({"checkpoints", "seq", "leaves"}));
}

TEST_F(Mend, SaysWhatIsLostAndHarmsNothingElse) {
  const std::vector<Cell> bodies = cells({"thoughts", "id", "body"});
  const auto id = [&](const Cid& cid) {
    const PlainDatabase database = raw();
    Rows rows = database.query("SELECT id FROM names WHERE cid = ?", blob(cid.digest()));
    return rows.next() ? rows.integer(0) : 0;
  }(block_);
  const Cell body = *std::ranges::find(bodies, id, &Cell::key);
  flip(body, 20);
  flip(body, 41);
  const Dump damaged = dump(path());
  const MendReport report = mend();
  EXPECT_THAT(report.mended, IsEmpty());
  ASSERT_EQ(report.lost.size(), 1u);
  EXPECT_EQ(report.lost[0].cid, block_);
  EXPECT_EQ(report.lost[0].type, "test/response");
  EXPECT_THAT(report.lost[0].conversations, ElementsAre(talk_.cid()));
  EXPECT_THAT(report.lost[0].reason, testing::HasSubstr("no single changed bit"));
  EXPECT_THAT(differences(dump(path()), damaged), IsEmpty());
  flip(body, 20);
  flip(body, 41);
  EXPECT_THAT(words_of(mend().lost), IsEmpty());
}

TEST_F(Mend, PutsBackACopyOfADamagedOrRemovedThought) {
  const thought::Thought copy = open()->get(block_).value();
  const std::string where =
      " WHERE id = (SELECT id FROM names WHERE cid = x'" + to_hex(block_.digest()) + "')";
  EXPECT_FALSE(open()->mending().put_back(copy, nullptr).value()) << "it is undamaged";
  for (const std::string& damage : {"UPDATE thoughts SET body = x'7b7d', created_at = 5" + where,
                                    "DELETE FROM thoughts" + where}) {
    ASSERT_TRUE(raw().script(damage.c_str()));
    thought::Thought other = copy;
    other.content["text"] = "forged";
    EXPECT_FALSE(open()->mending().put_back(other, nullptr).value());
    EXPECT_TRUE(open()->mending().put_back(copy, nullptr).value());
    EXPECT_THAT(differences(dump(path()), whole_), IsEmpty());
  }
}

TEST_F(Mend, GivesUpALargeRowOnceItsBudgetIsUsedUp) {
  const Cell body = cells({"thoughts", "id", "body"}).back();
  flip(body, body.bits - 1);
  const auto store = open();
  const MendReport report = store->mending().mend({.budget_bytes = 10}).value();
  ASSERT_EQ(report.lost.size(), 1u);
  EXPECT_THAT(report.lost[0].reason, testing::HasSubstr("too large"));
}

}  // namespace
}  // namespace weft::store::sql
