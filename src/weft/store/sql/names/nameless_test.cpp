// Connections that a tree signs keep neither name nor signature: both follow from where and
// what they are. So does all that used to be kept, in stores of older versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "weft/base/hex.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scan_for_test.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sql/write/writer.hpp"
#include "weft/store/sqlite/names/run_index.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;

class Nameless : public testing::Test {
 protected:
  void SetUp() override {
    first_ = talk_.says("one");
    last_ = talk_.says("two");
    edge_ = talk_.connect("sequence", first_, last_, 7, "a label");
    ASSERT_TRUE(open()->writer().commit(talk_.batch()));
  }
  std::string path() const { return scratch_.path() / "weft.db"; }
  std::unique_ptr<Store> open() const { return open_store(path(), Create::yes).value(); }
  PlainDatabase raw() const { return open_reader(path()).value(); }
  static std::int64_t count(const PlainDatabase& database, Sql sql) {
    Rows rows = database.query(sql);
    return rows.next() ? rows.integer(0) : -1;
  }
  Id id_of(const Cid& cid) const {
    const Database database = to_store(raw());
    return find_id(database, Words(database), cid).value().value();
  }
  static void expect_holds(const Store& store, const Cid& edge) {
    const Result<thought::Thought> thought = store.get(edge);
    ASSERT_TRUE(thought) << thought.error().message;
    EXPECT_EQ(thought->cid, edge);
    EXPECT_EQ(cid_of(*thought), edge);
    const auto& tree = std::get<thought::TreeSignature>(thought->signature);
    const auto checkpoint = to_checkpoint(store.get(tree.checkpoint).value()).value();
    EXPECT_TRUE(
        thought::is_valid_path(edge, tree.index, checkpoint.leaves, tree.path, checkpoint.root));
  }

  static constexpr std::size_t kFirstEdge = 6;  // a leaf, after what is signed alone and a turn
  Scratch scratch_;
  Talk talk_{"s1"};
  Cid first_, last_, edge_;
};

TEST_F(Nameless, IsEveryConnectionOfATreeAndIsFoundByItsCidAllTheSame) {
  const PlainDatabase database = raw();
  EXPECT_EQ(count(database, "SELECT count(*) FROM connections JOIN names USING (id)"), 0);
  EXPECT_EQ(count(database, "SELECT sum(length(signature)) FROM connections"), 0);
  const auto store = open();
  const std::vector<Cid> leaves = store->audit().leaves(*talk_.checkpoint()).value();
  EXPECT_EQ(leaves.size(), 11u) << "five that are signed alone, and six of structure";
  for (const Cid& leaf : leaves) {
    EXPECT_TRUE(store->has(leaf).value());
    if (may_be_tree_signed(store->get(leaf).value())) expect_holds(*store, leaf);
    for (const std::size_t digits : {8u, 12u, 13u, 20u, 64u}) {
      EXPECT_THAT(store->find_by_prefix(to_hex(leaf.digest()).substr(0, digits), 2).value(),
                  ElementsAre(leaf));
    }
  }
  EXPECT_TRUE(scan(*store).dangling.empty());
}

TEST_F(Nameless, ExceptWhatLeadsToOrFromAConnection) {
  const Cid about = talk_.connect("supersedes", edge_, last_);
  Talk other("s2");
  other.says("elsewhere");
  const Cid beyond = other.connect("supersedes", last_, about);
  const Cid later = other.connect("supersedes", edge_, first_);
  const auto store = open();
  ASSERT_TRUE(store->writer().commit(talk_.batch()));
  ASSERT_TRUE(store->writer().commit(other.batch()));
  EXPECT_EQ(count(raw(), "SELECT count(*) FROM connections JOIN names USING (id)"), 2);
  for (const Cid& edge : {edge_, about, beyond, later}) expect_holds(*store, edge);
}

TEST_F(Nameless, IsToldFromAnotherThatSharesTheFirstBytesOfItsCid) {
  const Cid other = open()->audit().leaves(*talk_.checkpoint())->at(kFirstEdge);
  const PlainDatabase database = raw();
  ASSERT_NE(other, edge_);
  // As if the two began alike: each is found where the other is.
  for (const Name& name : {Name{hash_of(edge_), id_of(other)}, Name{hash_of(other), id_of(edge_)},
                           Name{hash_of(edge_), id_of(first_)}}) {
    ASSERT_TRUE(RunIndex(database).add(std::array{name}));
  }
  const auto store = open();
  for (const Cid& edge : {edge_, other}) {
    expect_holds(*store, edge);
    EXPECT_THAT(store->find_by_prefix(edge.brief(16), 3).value(), ElementsAre(edge));
  }
}

TEST_F(Nameless, IsWovenOnlyOnce) {
  Talk fork("s2");
  fork.brings(to_connection(open()->get(edge_).value()).value());
  fork.says("a fork");
  const Id before = id_of(edge_);
  ASSERT_TRUE(open()->writer().commit(fork.batch()));
  EXPECT_EQ(id_of(edge_), before);
  expect_holds(*open(), edge_);
}

TEST_F(Nameless, LeavesOnlyItsLeafWhenItIsRemoved) {
  const std::vector<Cid> before = open()->audit().leaves(*talk_.checkpoint()).value();
  const Id id = id_of(edge_);
  ASSERT_TRUE(raw().run("DELETE FROM connections WHERE id = ?", id));
  const auto store = open();
  std::vector<Cid> expected = before;
  std::ranges::replace(expected, edge_, Cid());
  EXPECT_EQ(store->audit().leaves(*talk_.checkpoint()).value(), expected);
  EXPECT_FALSE(store->has(edge_).value());
  EXPECT_TRUE(store->find_by_prefix(edge_.brief(8), 2)->empty());
  const thought::Thought beside = store->get(before[kFirstEdge]).value();
  EXPECT_TRUE(std::get<thought::TreeSignature>(beside.signature).path.empty())
      << "its path is lost, and so it does not hold";
  Talk more("s2");
  more.says("more");
  ASSERT_TRUE(store->writer().commit(more.batch()));
  EXPECT_GT(id_of(more.cid()), id) << "no id is given twice";
}

TEST_F(Nameless, IsNotFoundByItsOldNameOnceItIsChanged) {
  ASSERT_TRUE(raw().run("UPDATE connections SET position = 8 WHERE id = ?", id_of(edge_)));
  EXPECT_FALSE(open()->has(edge_).value());
  EXPECT_EQ(open()->get(edge_).error().code, ErrorCode::not_found);
}

// --- a store of version 3, where everything is kept ---------------------------------------

std::int64_t hash_in_version_3(const Cid& cid) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < 8; ++i) hash = hash << 8 | cid.digest()[i];
  return static_cast<std::int64_t>(hash ^ (std::uint64_t{1} << 63));
}

// The store at `now`, written the way that version 3 wrote.
void write_version_3(const std::string& now, const std::string& path) {
  std::ofstream(path).close();
  const PlainDatabase database = sqlite::open_database(path, sqlite::Mode::read_write).value();
  ASSERT_TRUE(migrate(database, migrations().first(3)));
  ASSERT_TRUE(database.script(("ATTACH '" + now + "' AS now").c_str()));
  for (const char* table : {"names", "words", "thoughts", "effects", "conversations", "runs",
                            "shares", "places", "checkpoints"}) {
    const std::string copy =
        std::string("INSERT INTO main.") + table + " SELECT * FROM now." + table;
    ASSERT_TRUE(database.script(copy.c_str()));
  }
  const PlainDatabase current = open_reader(now).value();
  Rows edges = current.query("SELECT * FROM connections");
  while (edges.next()) {
    const Edge edge = to_edge(edges);
    ASSERT_TRUE(database.run("INSERT INTO connections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", edge.id,
                             edge.relation, edge.from, edge.to, edge.label, edge.position,
                             edge.created_by, edge.created_at, Blob{edge.signature}));
  }
  std::vector<std::pair<Id, std::string>> checkpoints;
  Rows rows = database.query("SELECT id, leaves FROM checkpoints");
  while (rows.next()) checkpoints.emplace_back(rows.integer(0), rows.bytes(1));
  const Database named_in = to_store(sqlite::open_database(path, sqlite::Mode::read_write).value());
  const Words words(named_in);
  for (const auto& [checkpoint, leaves] : checkpoints) {
    std::uint64_t leaf = 0;
    const std::vector<Range> ranges = unpack_leaves(leaves).value();
    for (const Range& range : ranges) {
      for (std::uint64_t i = 0; i < range.count; ++i, ++leaf) {
        const Id id = range.first + static_cast<Id>(i);
        std::string signature;
        pack_signature(signature, thought::TreeSignature{.index = leaf}, checkpoint,
                       Paths::derived);
        const Result<Cid> cid = get_cid(named_in, words, id);
        ASSERT_TRUE(cid) << id << ": " << cid.error().message;
        ASSERT_TRUE(database.run("INSERT OR IGNORE INTO names (id, cid) VALUES (?, ?)", id,
                                 blob(cid->digest())));
        for (const Status& status :
             {database.run("UPDATE connections SET signature = ? WHERE id = ? AND signature = x''",
                           Blob{signature}, id),
              database.run("UPDATE thoughts SET signature = ? WHERE id = ? AND signature = x''",
                           Blob{signature}, id)}) {
          ASSERT_TRUE(status);
        }
      }
    }
  }
  std::vector<std::pair<Id, Cid>> names;
  Rows named = database.query("SELECT id, cid FROM names ORDER BY id");
  while (named.next()) names.emplace_back(named.integer(0), to_cid(named.bytes(1)).value());
  for (const auto& [id, cid] : names) {
    ASSERT_TRUE(id % 2 == 0 ? database.run("INSERT INTO name_recent (hash, id) VALUES (?, ?)",
                                           hash_in_version_3(cid), id)
                            : database.run("INSERT INTO name_index (hash, id) VALUES (?, ?)",
                                           hash_in_version_3(cid), id));
  }
}

TEST_F(Nameless, IsNothingInAStoreOfVersion3WhichIsReadAndAddedToAllTheSame) {
  const std::string old = scratch_.path() / "old.db";
  write_version_3(path(), old);
  {
    const PlainDatabase database = sqlite::open_database(old, sqlite::Mode::read_write).value();
    ASSERT_EQ(sqlite::read_pragma(database, "user_version").value(), 3);
    ASSERT_EQ(count(database,
                    "SELECT count(*) FROM connections WHERE signature = x'' OR id NOT IN "
                    "(SELECT id FROM names)"),
              0);
  }
  const auto migrated = open_store(old, Create::no).value();
  const auto fresh = open();
  EXPECT_EQ(all_of(*migrated, talk_.cid()), all_of(*fresh, talk_.cid()));
  EXPECT_EQ(migrated->audit().leaves(*talk_.checkpoint()).value(),
            fresh->audit().leaves(*talk_.checkpoint()).value());
  EXPECT_EQ(migrated->find_by_prefix("", 1000).value(), fresh->find_by_prefix("", 1000).value());
  talk_.says("three");
  const Batch more = talk_.batch();
  for (Store* store : {migrated.get(), fresh.get()}) ASSERT_TRUE(store->writer().commit(more));
  EXPECT_EQ(all_of(*migrated, talk_.cid()), all_of(*fresh, talk_.cid()));
  EXPECT_EQ(migrated->find_by_prefix("", 1000).value(), fresh->find_by_prefix("", 1000).value());
  for (const thought::Thought& thought : all_of(*migrated, talk_.cid())) {
    EXPECT_EQ(migrated->get(thought.cid).value(), without_covers(thought));
  }
  EXPECT_TRUE(scan(*migrated).dangling.empty());
}

}  // namespace
}  // namespace weft::store::sql
