// Break it on purpose: damaged rows, removed rows, full disks, locked and read-only files.
// Afterwards the old state or the new one, a clear error, and never a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <random>
#include <tuple>

#include "weft/base/file.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scan_for_test.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sql/write/writer.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_backend.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    talk_.says(
        "a text that is long enough to be compressed, for it says the same, the same, "
        "the same, the same, the same, the same, the same, the same, the same, the same");
    talk_.thinks("sealed");
    block_ = talk_.says("short");
    thought::Thought block;
    block.type = "test/response";
    block.because = {{.thought = block_, .anchor = thought::Anchor{"s", "", "hort"}}};
    talk_.stands(block);
    ASSERT_TRUE(open()->writer().commit(talk_.batch()));
  }
  std::string path() const { return scratch_.path() / "weft.db"; }
  std::unique_ptr<Store> open() const { return open_store(path(), Create::yes).value(); }
  PlainDatabase raw() const { return open_reader(path()).value(); }
  std::unique_ptr<Reader> reader() const {
    return std::make_unique<Reader>(to_store(open_reader(path()).value()));
  }

  static void limit_pages(const RowWriter& writer, std::int64_t pages) {
    const std::string limit = "PRAGMA max_page_count = " + std::to_string(pages);
    const PlainDatabase& database = writer.database();
    ASSERT_TRUE(database.script(limit.c_str()));
  }

  // Asks everything; what fails must say `corrupt`.
  void ask_everything() const {
    const auto reader_again = reader();
    const auto check = [](const auto& result) {
      EXPECT_TRUE(result || result.error().code == ErrorCode::corrupt) << result.error().message;
    };
    std::vector<Cid> named;
    const Inspector inspector{
        .thought = [&](const CanonicalThought& found) { named.push_back(found.thought.cid); },
        .connection =
            [&](const std::optional<Cid>& name, const thought::Connection& connection) {
              named.push_back(name ? *name : cid_of(connection));
            },
        .dangling = [](const Cid&) {},
        .broken =
            [&](const Cid& cid, const std::string& reason) {
              EXPECT_THAT(reason, Not(HasSubstr("sealed")));
              named.push_back(cid);
            }};
    const Result<std::vector<ScanRange>> ranges = reader_again->scan_ranges();
    check(ranges);
    for (const ScanRange& range : ranges.value_or(std::vector<ScanRange>())) {
      check(reader_again->inspect(range, inspector));
    }
    for (const Cid& cid : named) {
      const auto thought = reader_again->get(cid);
      if (!thought) {
        EXPECT_THAT(thought.error().code, AnyOf(ErrorCode::corrupt, ErrorCode::not_found));
      }
      check(reader_again->connections(cid, std::nullopt, Direction::both));
      check(reader_again->effects(cid));
    }
    check(reader_again->each_of({talk_.cid()}, [](const thought::Thought&) { return true; }));
    check(reader_again->leaves(*talk_.checkpoint()));
    check(reader_again->checkpoint_log());
    check(reader_again->conversations({}));
  }

  Scratch scratch_;
  Talk talk_{"s1"};
  Cid block_;
};

TEST_F(Damage, OfAnyByteOfAnyBlobIsFoundOrHarmless) {
  struct Column {
    const char *table, *key, *name;
  };
  const PlainDatabase database = raw();
  ASSERT_TRUE(database.script("PRAGMA synchronous = OFF"));
  int flipped = 0;
  for (const Column& column : {Column{"thoughts", "id", "because"},
                               {"thoughts", "id", "signature"},
                               {"thoughts", "id", "metadata"},
                               {"thoughts", "id", "content"},
                               {"thoughts", "id", "body"},
                               {"connections", "id", "signature"},
                               {"edge_pages", "first", "edges"},
                               {"checkpoints", "seq", "leaves"},
                               {"names", "id", "cid"}}) {
    const std::string where = std::string(" FROM ") + column.table + " WHERE " + column.name +
                              " IS NOT NULL GROUP BY length(" + column.name + ")";
    const std::string select =
        std::string("SELECT min(") + column.key + "), " + column.name + where;
    const std::string update = std::string("UPDATE ") + column.table + " SET " + column.name +
                               " = ? WHERE " + column.key + " = ?";
    std::vector<std::pair<std::int64_t, std::string>> rows;
    sqlite::Statement selecting(sqlite::handle_of(database), select.c_str());
    Rows found = selecting.query();
    while (found.next()) rows.emplace_back(found.integer(0), found.bytes(1));
    ASSERT_TRUE(found.status());
    ASSERT_FALSE(rows.empty()) << select;
    sqlite::Statement updating(sqlite::handle_of(database), update.c_str());
    for (const auto& [key, bytes] : rows) {
      for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const int mask : {0x01, 0x80}) {
          std::string damaged = bytes;
          damaged[at] = static_cast<char>(damaged[at] ^ mask);
          ASSERT_TRUE(updating.run(Blob{damaged}, key));
          ask_everything();
          ++flipped;
        }
        ASSERT_TRUE(updating.run(Blob{bytes.substr(0, at)}, key));
        ask_everything();
      }
      ASSERT_TRUE(updating.run(Blob{bytes}, key));
    }
  }
  EXPECT_GT(flipped, 1000);
}

TEST_F(Damage, OfABodyIsToldAndTheOthersAreStillRead) {
  ASSERT_TRUE(
      raw().run("UPDATE thoughts SET body = x'28b52f' WHERE id = "
                "(SELECT id FROM names WHERE cid = ?)",
                blob(block_.digest())));
  EXPECT_EQ(open()->get(block_).error().code, ErrorCode::corrupt);
  const Scan all = scan(*open());
  ASSERT_TRUE(all.status);
  ASSERT_EQ(all.broken.size(), 1u);
  EXPECT_EQ(all.broken[0].first, block_);
  EXPECT_THAT(all.thoughts, Contains(testing::Field(&thought::Thought::cid, talk_.cid())));
}

TEST_F(Damage, ByRemovedRowsLeavesTheirNamesDangling) {
  const Cid edge = talk_.connect_signed("uses_input", block_, talk_.cid());
  talk_.says("more");
  ASSERT_TRUE(open()->writer().commit(talk_.batch()));
  const PlainDatabase database = raw();
  ASSERT_TRUE(database.run("DELETE FROM thoughts WHERE id = (SELECT id FROM names WHERE cid = ?)",
                           blob(block_.digest())));
  ASSERT_TRUE(
      database.run("DELETE FROM connections WHERE id = (SELECT id FROM names WHERE cid = ?)",
                   blob(edge.digest())));
  const auto store = open();
  EXPECT_THAT(scan(*store).dangling, testing::UnorderedElementsAre(block_, edge));
  EXPECT_EQ(store->get(block_).error().code, ErrorCode::not_found);
  EXPECT_FALSE(store->has(edge).value());
}

TEST_F(Damage, ByARemovedNameIsCorruptForWhoeverSpeaksOfIt) {
  ASSERT_TRUE(raw().run("DELETE FROM names WHERE cid = ?", blob(talk_.owner().digest())));
  EXPECT_EQ(open()->get(block_).error().code, ErrorCode::corrupt);
  ask_everything();
}

TEST_F(Damage, AnywhereInTheFileIsSurvived) {
  const std::string whole = read_file(path()).value();
  const unsigned seed = 20260214;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 150; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 8; ++i) damaged[random() % damaged.size()] ^= static_cast<char>(random());
    if (round % 5 == 0) damaged.resize(random() % damaged.size());
    std::filesystem::remove(path() + "-wal");
    std::filesystem::remove(path() + "-shm");
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << damaged;
    const auto store = open_store(path(), Create::no);
    if (!store) continue;
    const auto go_on = [](const thought::Thought&) { return true; };
    Talk more("s" + std::to_string(round));
    more.says("more");
    // Any answer will do.
    std::ignore = (*store)->get(block_);
    std::ignore = (*store)->each_of(talk_.cid(), go_on);
    std::ignore = scan(**store);
    std::ignore = (*store)->writer().commit(more.batch());
  }
}

// --- a disk that is full, a file that is locked --------------------------------------------

TEST_F(Damage, ByAFullDiskAtAnyPageChangesNothing) {
  Talk more("more");
  for (int i = 0; i < 40; ++i) more.thinks(std::string(3000, 'x') + std::to_string(i));
  const Batch batch = more.batch();
  const std::vector<thought::Thought> before = all_of(*open(), talk_.cid());
  int refused = 0;
  for (;; ++refused) {
    RowWriter writer(to_store(open_store_file(path(), Create::no).value()));
    limit_pages(writer, sqlite::read_pragma(writer.database(), "page_count").value() + refused);
    const Result<Committed> committed = writer.commit(batch);
    if (committed) break;
    ASSERT_EQ(committed.error().code, ErrorCode::unavailable) << committed.error().message;
    EXPECT_THAT(committed.error().message, HasSubstr("full"));
    const auto store = open();
    ASSERT_FALSE(store->has(more.cid()).value());
    ASSERT_EQ(store->conversations({})->size(), 1u);
    ASSERT_TRUE(scan(*store).dangling.empty());
    ASSERT_EQ(all_of(*store, talk_.cid()), before);
  }
  EXPECT_GT(refused, 5);
  EXPECT_TRUE(open()->has(more.cid()).value());
}

TEST_F(Damage, ByAFullDiskIsOverWhenThereIsRoomAgain) {
  RowWriter writer(to_store(open_store_file(path(), Create::no).value()));
  limit_pages(writer, 1);
  Talk more("more");
  more.thinks(std::string(100'000, 'x'));
  const Batch batch = more.batch();
  EXPECT_EQ(writer.commit(batch).error().code, ErrorCode::unavailable);
  limit_pages(writer, 1'000'000);
  EXPECT_TRUE(writer.commit(batch));
}

TEST_F(Damage, ByALockThatStaysIsUnavailable) {
  const PlainDatabase rival = raw();
  ASSERT_TRUE(rival.script("BEGIN IMMEDIATE"));
  RowWriter writer(to_store(open_store_file(path(), Create::no).value()));
  sqlite3_busy_timeout(sqlite::handle_of(writer.database()), 1);
  talk_.says("more");
  const Batch batch = talk_.batch();
  const Result<Committed> committed = writer.commit(batch);
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::unavailable) << "and no conflict: not woven again";
  EXPECT_THAT(committed.error().message, HasSubstr("another process is writing to the store"));
  EXPECT_TRUE(open()->has(talk_.cid()).value()) << "readers go on";
  ASSERT_TRUE(rival.script("ROLLBACK"));
  EXPECT_TRUE(writer.commit(batch));
}

TEST_F(Damage, ByWritingToWhatMayOnlyBeReadIsDenied) {
  RowWriter writer(to_store(sqlite::open_database(path(), sqlite::Mode::read_only).value()));
  talk_.says("more");
  EXPECT_EQ(writer.commit(talk_.batch()).error().code, ErrorCode::denied);
}

TEST_F(Damage, FoundWhileLookingUpIsAFailureAndNeverNotThere) {
  const auto store = open();
  ASSERT_TRUE(raw().script("ALTER TABLE places RENAME TO elsewhere"));
  const auto place = store->known_web().find_place(talk_.cid(), Talk::key(0));
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().code, ErrorCode::internal);
  ASSERT_TRUE(raw().script("ALTER TABLE elsewhere RENAME TO places"));
  EXPECT_TRUE(store->known_web().find_place(talk_.cid(), Talk::key(0)).value());
}

}  // namespace
}  // namespace weft::store::sql
