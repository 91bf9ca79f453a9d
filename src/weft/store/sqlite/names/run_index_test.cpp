#include "weft/store/sqlite/names/run_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sqlite/names/name_runs.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::store::sql {
namespace {

constexpr Hash kLast = ~Hash{0};

class NameIndexTest : public testing::Test {
 protected:
  std::vector<Name> all(Hash from = 0) const {
    std::vector<Name> found;
    EXPECT_TRUE(index_.each_from(from, [&](const Name& name) {
      found.push_back(name);
      return true;
    }));
    return found;
  }
  std::vector<Id> find(Hash hash) const {
    std::vector<Id> ids = index_.find(hash).value();
    std::ranges::sort(ids);
    return ids;
  }
  std::size_t runs() const { return read_runs(database_)->size(); }

  const Scratch scratch_;
  const PlainDatabase database_ = open_store_file(scratch_.path() / "weft.db", Create::yes).value();
  mutable RunIndex index_{database_};
};

TEST_F(NameIndexTest, IsTheFirstBytesOfACidInOrder) {
  Digest digest{};
  digest[0] = 0xff;
  digest[3] = 1;
  EXPECT_EQ(hash_of(Cid(digest)), 0xff000001u);
}

TEST_F(NameIndexTest, AnEmptyOneFindsNothing) {
  EXPECT_TRUE(find(0).empty());
  EXPECT_TRUE(all().empty());
  EXPECT_TRUE(index_.remove({1, 1}));
  EXPECT_TRUE(index_.add({}));
  EXPECT_EQ(runs(), 0u);
}

TEST_F(NameIndexTest, FindsBothEndsAndNothingBetween) {
  ASSERT_TRUE(index_.add(std::array<Name, 3>{{{0, 5}, {7, 1'000'000}, {kLast, 2}}}));
  EXPECT_EQ(find(0), std::vector<Id>{5});
  EXPECT_EQ(find(7), std::vector<Id>{1'000'000});
  EXPECT_EQ(find(kLast), std::vector<Id>{2});
  EXPECT_TRUE(find(6).empty());
  EXPECT_TRUE(find(8).empty());
  EXPECT_EQ(all(7).size(), 2u);
  EXPECT_EQ(all(8), (std::vector<Name>{{kLast, 2}}));
}

TEST_F(NameIndexTest, NamesThatShareAHashAreAllFoundAcrossPagesAndRuns) {
  std::vector<Name> names;
  for (Id id = 1; id <= 1000; ++id) names.push_back({id <= 500 ? Hash{9} : Hash{10}, id});
  ASSERT_TRUE(index_.add(names));
  ASSERT_TRUE(index_.add(std::array<Name, 1>{{{9, 2000}}}));
  EXPECT_EQ(find(9).size(), 501u);
  EXPECT_EQ(find(10).size(), 500u);
  EXPECT_EQ(all().size(), 1001u);
}

// Against a map, in commits of all sizes.
TEST_F(NameIndexTest, HoldsWhatWasAddedHoweverItCame) {
  std::mt19937 random(5);
  std::multimap<Hash, Id> expected;
  Id next = 1;
  std::size_t most = 0;
  for (int i = 0; i < 120; ++i) {
    const std::size_t count = i % 10 == 0 ? 6000 : random() % 40 + 1;
    std::vector<Name> names;
    // Few enough hashes that some are shared.
    for (std::size_t n = 0; n < count; ++n)
      names.push_back({Hash(random() % 200'000) << 14, next++});
    std::ranges::sort(names);
    ASSERT_TRUE(index_.add(names));
    for (const Name& name : names) expected.emplace(name.hash, name.id);
    most = std::max(most, runs());
  }
  EXPECT_LE(most, 8u) << "runs are merged";
  std::vector<Name> sorted;
  for (const auto& [hash, id] : expected) sorted.push_back({hash, id});
  std::ranges::sort(sorted);
  EXPECT_TRUE(all() == sorted);
  std::vector<Name> unsorted;
  ASSERT_TRUE(index_.each([&](const Name& name) { unsorted.push_back(name); }));
  std::ranges::sort(unsorted);
  EXPECT_TRUE(unsorted == sorted);
  for (int i = 0; i < 2000; ++i) {
    const Hash hash = Hash(random() % 200'000) << 14;
    std::vector<Id> ids;
    for (auto [at, end] = expected.equal_range(hash); at != end; ++at) ids.push_back(at->second);
    std::ranges::sort(ids);
    ASSERT_EQ(find(hash), ids);
  }
  const Hash middle = Hash{100'000} << 14;
  EXPECT_TRUE(all(middle) ==
              std::vector<Name>(std::ranges::lower_bound(sorted, Name{middle, 0}), sorted.end()));
}

TEST_F(NameIndexTest, RemovesOneAndLeavesTheRest) {
  std::vector<Name> names;
  for (Id id = 1; id <= 700; ++id) names.push_back({static_cast<Hash>(id * 1000), id});
  ASSERT_TRUE(index_.add(names));
  for (const Name& name : names) {
    if (name.id == 500) continue;
    ASSERT_TRUE(index_.remove(name));
  }
  ASSERT_TRUE(index_.remove({500'000, 3})) << "another id of that hash stays";
  EXPECT_EQ(all(), (std::vector<Name>{{500'000, 500}}));
  EXPECT_EQ(find(500'000), std::vector<Id>{500});
  EXPECT_EQ(read_runs(database_)->front().names, 1u);
  ASSERT_TRUE(index_.add(names)) << "pages without names are merged away";
  EXPECT_EQ(all().size(), 701u);
}

TEST_F(NameIndexTest, ADamagedPageIsToldAndNotGuessedAt) {
  ASSERT_TRUE(index_.add(std::array<Name, 2>{{{1, 1}, {2, 2}}}));
  ASSERT_TRUE(database_.run("UPDATE name_pages SET names = x'01ff'"));
  EXPECT_EQ(index_.find(1).error().code, ErrorCode::corrupt);
  EXPECT_FALSE(index_.each_from(0, [](const Name&) { return true; }));
}

TEST(NameRuns, AreMergedSoThatFewAreLeftAndFewNamesAreWrittenAgain) {
  std::vector<NameRun> runs;  // the newest first
  std::uint64_t written = 0;
  std::size_t most = 0;
  for (std::int64_t number = 1; number <= 2000; ++number) {
    const std::size_t merged = runs_to_merge(runs, 10'000);
    std::uint64_t names = 10'000;
    for (std::size_t i = 0; i < merged; ++i) names += runs[i].names;
    runs.erase(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(merged));
    runs.insert(runs.begin(), {number, names});
    written += names;
    most = std::max(most, runs.size());
  }
  EXPECT_LE(most, 20u);
  EXPECT_LE(written, 7u * 2000 * 10'000) << "twenty million names, each a few times";
}

TEST(NamePages, SayWhatTheyWereMadeOf) {
  const std::vector<Name> names{{5, 1'000'000'000'000}, {5, 7}, {kLast, 9}};
  EXPECT_EQ(unpack_names(pack_names(names, 3), 3).value(), names);
  EXPECT_TRUE(unpack_names("", 3)->empty());
  EXPECT_TRUE(pack_names({}, 0).empty());
  EXPECT_FALSE(unpack_names(pack_names(names, 3), 4)) << "beyond the last hash";
}

}  // namespace
}  // namespace weft::store::sql
