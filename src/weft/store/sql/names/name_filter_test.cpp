#include "weft/store/sql/names/name_filter.hpp"

#include <gtest/gtest.h>

#include <array>

#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/store/sql/write/writer.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_backend.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store::sql {
namespace {

constexpr Hash kLast = ~Hash{0};

class NameFilterTest : public testing::Test {
 protected:
  Database open() const { return to_store(open_store_file(path_, Create::yes).value()); }

  const Scratch scratch_;
  const std::string path_ = scratch_.path() / "weft.db";
  NameFilter filter_;
};

TEST_F(NameFilterTest, RulesNothingOutBeforeItIsOn) { EXPECT_FALSE(filter_.rules_out(7)); }

TEST_F(NameFilterTest, RulesOutWhatWasNeverAdded) {
  const Database database = open();
  ASSERT_TRUE(filter_.prepare(database, 1, 0));
  EXPECT_TRUE(filter_.rules_out(7'000'000));
  EXPECT_TRUE(filter_.rules_out(kLast));
  filter_.add(std::array<Name, 2>{{{7'000'000, 1}, {kLast, 2}}});
  EXPECT_FALSE(filter_.rules_out(7'000'000));
  EXPECT_FALSE(filter_.rules_out(kLast));
  EXPECT_TRUE(filter_.rules_out(9'000'000));
  filter_.turn_off();
  EXPECT_FALSE(filter_.rules_out(9'000'000));
}

TEST_F(NameFilterTest, ReadsAllNamesOnlyOnceThatPays) {
  const Database database = open();
  ASSERT_TRUE(database.name_index().add(std::array<Name, 2>{{{100000, 1}, {200000, 2}}}));
  ASSERT_TRUE(filter_.prepare(database, 100, 1000));
  EXPECT_FALSE(filter_.rules_out(300000)) << "an appended line must not read them all";
  ASSERT_TRUE(filter_.prepare(database, 100, 1000));
  ASSERT_TRUE(filter_.prepare(database, 100, 1000));
  EXPECT_TRUE(filter_.rules_out(300000));
  EXPECT_FALSE(filter_.rules_out(100000));
  EXPECT_FALSE(filter_.rules_out(200000));
}

TEST_F(NameFilterTest, IsMadeLargerFromWhatIsStored) {
  const Database database = open();
  ASSERT_TRUE(filter_.prepare(database, 1, 0));
  filter_.add(std::array<Name, 1>{{{100000, 1}}});
  ASSERT_TRUE(database.name_index().add(std::array<Name, 1>{{{100000, 1}}}));
  // One bit for 512 hashes at first, and for 8 of them where there are more names.
  EXPECT_FALSE(filter_.rules_out(100064));
  ASSERT_TRUE(filter_.prepare(database, 1, std::int64_t{1} << 24));
  EXPECT_FALSE(filter_.rules_out(100000));
  EXPECT_TRUE(filter_.rules_out(100064));
}

// What one writer stored is new to the other one's filter.
TEST_F(NameFilterTest, AnotherWritersCommitTurnsItOff) {
  RowWriter first(open()), second(open());
  Talk talk("s1"), other("s2");
  talk.says("one");
  ASSERT_TRUE(first.commit(talk.batch()));
  const Cid shared = other.says("two");
  ASSERT_TRUE(first.filter().rules_out(hash_of(shared)));
  const Batch batch = other.batch();
  ASSERT_TRUE(second.commit(batch));
  const Result<Committed> again = first.commit(batch);
  ASSERT_FALSE(again) << "its conversation was added to meanwhile";
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  EXPECT_FALSE(first.filter().rules_out(hash_of(shared)));
}

}  // namespace
}  // namespace weft::store::sql
