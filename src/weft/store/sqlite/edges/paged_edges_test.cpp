// Connections in pages, and as SQL sees them, against a plain list.
#include "weft/store/sqlite/edges/paged_edges.hpp"
#include "weft/sqlite/database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::store::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class PagesOfEdges : public testing::Test {
 protected:
  void add(std::vector<Edge> edges) {
    ASSERT_TRUE(edges_.add(edges));
    all_.insert(all_.end(), edges.begin(), edges.end());
    std::ranges::sort(all_, {}, &Edge::id);
  }
  // A commit's worth: ids from `first` on, with gaps, ends nearby and now and then far away.
  std::vector<Edge> some(Id first, int count) {
    std::vector<Edge> edges;
    for (Id id = first; count > 0; --count, id += 1 + random_() % 2) {
      const bool is_far = random_() % 10 == 0;
      edges.push_back({.id = id,
                       .relation = static_cast<Id>(1 + random_() % 3),
                       .from = near(first),
                       .to = is_far ? static_cast<Id>(1 + random_() % 9) : near(first),
                       .created_by = 1,
                       .created_at = 1'000 + id});
      if (random_() % 2 == 0) edges.back().position = static_cast<std::int64_t>(random_() % 5);
      if (random_() % 3 == 0) edges.back().label = 7;
      if (random_() % 9 == 0) edges.back().signature = "signed";
    }
    return edges;
  }
  Id near(Id first) { return std::max<Id>(1, first - static_cast<Id>(random_() % 300)); }

  std::vector<Edge> expected(const WantedEdges& wanted) const {
    std::vector<Edge> found;
    std::ranges::copy_if(all_, std::back_inserter(found),
                         [&](const Edge& edge) { return wanted.has(edge); });
    if (wanted.descending) std::ranges::reverse(found);
    return found;
  }
  std::vector<Edge> walked(const WantedEdges& wanted) {
    std::vector<Edge> found, page;
    Edges::Walk walk(edges_, wanted);
    for (Result<bool> more = walk.next(page); more && *more; more = walk.next(page)) {
      EXPECT_THAT(page, testing::Not(IsEmpty()));
      found.insert(found.end(), page.begin(), page.end());
    }
    return found;
  }
  static std::vector<Edge> rows(Rows rows) {
    std::vector<Edge> found;
    while (rows.next()) found.push_back(to_edge(rows));
    EXPECT_TRUE(rows.status());
    return found;
  }
  std::int64_t count(Sql sql) const {
    Rows rows = database_.query(sql);
    return rows.next() ? rows.integer(0) : -1;
  }

  Scratch scratch_;
  PlainDatabase database_ = open_store_file(scratch_.path() / "weft.db", Create::yes).value();
  PagedEdges edges_{sqlite::handle_of(database_)};
  std::mt19937 random_{5};
  std::vector<Edge> all_;  // what should be there, in the order of ids
};

TEST_F(PagesOfEdges, AreFoundByIdByRangeAndByEitherEnd) {
  Id first = 10;
  for (int commit = 0; commit < 40; ++commit) {
    add(some(first, commit % 5 == 0 ? 300 : 3));
    first = all_.back().id + 1 + static_cast<Id>(random_() % 200);
  }
  EXPECT_EQ(walked({}), all_);
  EXPECT_EQ(rows(database_.query("SELECT * FROM connections")), all_);
  EXPECT_EQ(rows(database_.query("SELECT * FROM connections ORDER BY id DESC")),
            expected({.descending = true}));
  for (int i = 0; i < 300; ++i) {
    const Edge& one = all_[random_() % all_.size()];
    const Id low = one.id - static_cast<Id>(random_() % 400), high = one.id;
    const bool descending = i % 2 == 0;
    for (const WantedEdges& wanted : {WantedEdges{.low = one.id, .high = one.id},
                                      {.low = low, .high = high, .descending = descending},
                                      {.from = one.from, .descending = descending},
                                      {.to = one.to, .descending = descending},
                                      {.from = one.from, .to = one.to},
                                      {.from = one.from, .low = low, .high = high},
                                      {.to = one.to, .high = high, .descending = descending},
                                      {.from = one.id}}) {
      EXPECT_EQ(walked(wanted), expected(wanted));
    }
    EXPECT_EQ(rows(database_.query("SELECT * FROM connections WHERE id = ?", one.id)),
              std::vector{one});
    EXPECT_EQ(rows(database_.query("SELECT * FROM connections WHERE id > ? AND id < ?", low, high)),
              expected({.low = low + 1, .high = high - 1}));
    EXPECT_EQ(
        rows(database_.query("SELECT * FROM connections WHERE to_id = ? ORDER BY id", one.to)),
        expected({.to = one.to}));
    EXPECT_EQ(rows(database_.query("SELECT * FROM connections WHERE from_id = ? AND id < ? "
                                   "ORDER BY id DESC LIMIT 1",
                                   one.from, one.id + 1)),
              std::vector{one});
  }
}

TEST_F(PagesOfEdges, AreJoinedAsTablesAre) {
  add(some(500, 400));
  std::size_t pairs = 0;
  for (const Edge& one : all_) {
    for (const Edge& other : all_) pairs += other.to == one.from ? 1 : 0;
  }
  EXPECT_EQ(count("SELECT count(*) FROM connections one JOIN connections other "
                  "ON other.to_id = one.from_id"),
            static_cast<std::int64_t>(pairs));
  ASSERT_TRUE(
      database_.run("INSERT INTO conversations (id, format, session_id, source, "
                    "created_at, touched, adopted) VALUES (?, '', '', '', 0, 0, 0)",
                    all_[7].from));
  EXPECT_EQ(rows(database_.query("SELECT * FROM connections WHERE to_id = ? AND from_id IN "
                                 "(SELECT id FROM conversations)",
                                 all_[7].to)),
            expected({.from = all_[7].from, .to = all_[7].to}));
}

TEST_F(PagesOfEdges, TakeInWhatFallsBetweenThem) {
  const std::vector<Edge> edges = some(1'000, 1'000);
  std::vector<Edge> even, odd;
  for (std::size_t i = 0; i < edges.size(); ++i) (i % 2 == 0 ? even : odd).push_back(edges[i]);
  add(even);
  add(odd);
  EXPECT_EQ(walked({}), edges);
  add(some(1, 3));
  EXPECT_EQ(walked({}), all_);
  for (const Edge& edge : all_) {
    EXPECT_EQ(walked({.from = edge.from}), expected({.from = edge.from}));
  }
}

TEST_F(PagesOfEdges, AreChangedAndRemovedOneByOne) {
  add(some(1'000, 300));
  for (Edge& edge : all_) {
    if (edge.id % 3 != 0) continue;
    edge.to = 5'000 + edge.id;
    edge.position = 77;
    ASSERT_TRUE(
        database_.run("UPDATE connections SET to_id = 5000 + id, position = 77 "
                      "WHERE id = ?",
                      edge.id));
  }
  EXPECT_EQ(walked({}), all_);
  for (const Edge& edge : all_) {
    EXPECT_EQ(walked({.to = edge.to}), expected({.to = edge.to}));
    EXPECT_EQ(walked({.from = edge.from}), expected({.from = edge.from}));
  }
  std::vector<Id> gone = {1};  // which never was
  for (const Edge& edge : all_) {
    if (edge.id % 5 != 0) gone.push_back(edge.id);
  }
  std::erase_if(all_, [](const Edge& edge) { return edge.id % 5 != 0; });
  ASSERT_TRUE(edges_.remove(gone));
  EXPECT_EQ(walked({}), all_);
  EXPECT_TRUE(edges_.remove(gone)) << "again is not an error";
  EXPECT_EQ(walked({}), all_);
  ASSERT_TRUE(database_.script("DELETE FROM connections"));
  EXPECT_EQ(count("SELECT count(*) FROM edge_pages") + count("SELECT count(*) FROM edge_ends"), 0);
}

TEST_F(PagesOfEdges, KeepTheirIds) {
  add(some(10, 2));
  EXPECT_FALSE(database_.script("UPDATE connections SET id = id + 100"));
  EXPECT_FALSE(database_.script("INSERT INTO connections (id) VALUES (1)"));
  EXPECT_EQ(walked({}), all_);
}

// Else whoever asks for what stands beside such an id would read every page.
TEST_F(PagesOfEdges, ThatManyPointAtCostNothingToThoseBeside) {
  constexpr Id kTool = 20, kBeside = 21;
  std::vector<Edge> edges;
  for (Id id = 100; id < 60'000; ++id) {
    edges.push_back({.id = id, .relation = 1, .from = id - 50, .to = kTool, .created_by = 1});
  }
  add(edges);
  Rows pages = database_.query("SELECT count(*) FROM edge_ends WHERE end IN (?, ?)", kBeside,
                               ~(kBeside >> 6));
  ASSERT_TRUE(pages.next());
  EXPECT_LE(pages.integer(0), 40);
  EXPECT_THAT(walked({.to = kTool}), SizeIs(edges.size()));
  EXPECT_THAT(walked({.to = kBeside}), IsEmpty());
}

TEST_F(PagesOfEdges, LosePagesOneByOne) {
  add(some(1'000, 400));
  const Id page = count("SELECT first FROM edge_pages ORDER BY first LIMIT 1 OFFSET 1");
  const Id next = count("SELECT first FROM edge_pages ORDER BY first LIMIT 1 OFFSET 2");
  ASSERT_TRUE(database_.run("UPDATE edge_pages SET edges = x'7f' WHERE first = ?", page));
  Rows rows = database_.query("SELECT * FROM connections");
  while (rows.next()) {
  }
  EXPECT_EQ(rows.status().error().code, ErrorCode::corrupt) << "SQL never gives a part for all";

  std::vector<Edge> found, on_page;
  std::vector<Id> damaged;
  Edges::Walk walk(edges_, {});
  for (;;) {
    const Result<bool> more = walk.next(on_page);
    if (more && !*more) break;
    if (!more) damaged.push_back(walk.page());
    found.insert(found.end(), on_page.begin(), on_page.end());
  }
  EXPECT_THAT(damaged, ElementsAre(page));
  std::erase_if(all_, [&](const Edge& edge) { return edge.id >= page && edge.id < next; });
  EXPECT_EQ(found, all_);
  ASSERT_TRUE(edges_.add(some(9'000, 5))) << "and what comes after goes on";
  EXPECT_EQ(edges_.add(some(page, 1)).error().code, ErrorCode::corrupt) << "nothing is put over it";
}

}  // namespace
}  // namespace weft::store::sql
