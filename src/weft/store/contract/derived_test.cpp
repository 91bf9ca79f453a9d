// The contract of Derived. That no check objects to a sound store is tested at the end of every
// contract test (contract_for_test.hpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/store/contract/contract_for_test.hpp"

namespace weft::store {
namespace {

using testing::IsEmpty;

// A check with a table is that of its sum.
TEST_P(StoreContract, HasSumsFromTheFirstDayOnIfItKeepsAny) {
  const auto checks = store_->derived().checks(CheckDepth::quick).value();
  const bool keeps_sums =
      std::ranges::any_of(checks, [](const StoreCheck& check) { return !check.table.empty(); });
  EXPECT_EQ(store_->derived().has_sums().value(), keeps_sums);
}

TEST_P(StoreContract, AFullCheckContainsAQuickOne) {
  const auto quick = store_->derived().checks(CheckDepth::quick).value();
  const auto full = store_->derived().checks(CheckDepth::full).value();
  EXPECT_GT(quick.size(), 3u);
  EXPECT_GT(full.size(), quick.size());
}

TEST_P(StoreContract, RebuildingASoundStoreChangesNothing) {
  Talk talk("s1");
  talk.says("a");
  talk.facts("title");
  commit(talk);
  const Rebuilt rebuilt = store_->derived().rebuild({}, {}).value();
  EXPECT_THAT(rebuilt.mended, IsEmpty());
  EXPECT_THAT(rebuilt.lost, IsEmpty());
  talk.says("b");
  commit(talk);
}

TEST_P(StoreContract, ReportsTheProgressOfARebuild) {
  std::uint64_t last = 0, all = 0;
  ASSERT_TRUE(store_->derived().rebuild({}, [&](std::uint64_t done, std::uint64_t of) {
    EXPECT_EQ(done, ++last);
    all = of;
  }));
  EXPECT_EQ(last, all);
  EXPECT_GT(all, 3u);
}

TEST_P(StoreContract, AcceptsAStoreAsItIs) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  ASSERT_TRUE(store_->derived().accept());
  talk.says("b");
  commit(talk);
}

}  // namespace
}  // namespace weft::store
