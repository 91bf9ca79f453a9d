#include "weft/mcp/transports/body_budget.hpp"

#include <gtest/gtest.h>

namespace weft::mcp {
namespace {

constexpr std::size_t kFree = BodyBudget::kFreeBytes;

TEST(BodyBudget, GivesOneClientHalfAndAllOfThemTheWhole) {
  const std::string heron = "heron", egret = "egret", stork = "stork";
  BodyBudget budget(1'000);
  BodyBudget::Share first(budget, heron), second(budget, egret), third(budget, stork);
  EXPECT_TRUE(first.grow(kFree + 500));
  EXPECT_FALSE(first.grow(kFree + 501));
  EXPECT_TRUE(second.grow(kFree + 400));
  EXPECT_TRUE(third.grow(kFree + 100));
  EXPECT_FALSE(third.grow(kFree + 101));
  EXPECT_EQ(budget.used(), 1'000u);
}

TEST(BodyBudget, AdmitsAShortBodyHoweverMuchIsUsed) {
  const std::string heron = "heron";
  BodyBudget budget(1'000);
  BodyBudget::Share first(budget, heron), second(budget, heron);
  EXPECT_TRUE(first.grow(kFree + 500));
  EXPECT_TRUE(second.grow(kFree));
  EXPECT_FALSE(second.grow(kFree + 1));
}

TEST(BodyBudget, IsWholeAgainWhenRequestsEndAndSaysSo) {
  const std::string heron = "heron";
  int released = 0;
  BodyBudget budget(1'000, [&] { ++released; });
  {
    BodyBudget::Share large(budget, heron), small(budget, heron);
    EXPECT_TRUE(large.grow(kFree + 200));
    EXPECT_TRUE(large.grow(kFree + 300));
    EXPECT_TRUE(small.grow(10));
    EXPECT_EQ(budget.used(), 300u);
  }
  EXPECT_EQ(budget.used(), 0u);
  EXPECT_EQ(released, 1);
}

}  // namespace
}  // namespace weft::mcp
