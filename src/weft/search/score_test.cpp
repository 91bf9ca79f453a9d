#include "weft/search/score.hpp"

#include <gtest/gtest.h>

namespace weft::search {
namespace {

// By hand: ln(1 + 7.5 / 3.5), and ln(1 + 0.5 / 10.5).
TEST(Idf, IsAboveZeroEvenForATermThatAllTextsHave) {
  EXPECT_NEAR(idf(10, 3), 1.145132, 1e-6);
  EXPECT_NEAR(idf(10, 10), 0.046520, 1e-6);
}

// By hand: 2 / (2 + 1.5), and 2 / (2 + 1.5 · 1.75).
TEST(Share, IsLessInALongerText) {
  EXPECT_NEAR(share(2, 100, 100), 0.571429, 1e-6);
  EXPECT_NEAR(share(2, 200, 100), 0.432432, 1e-6);
  EXPECT_EQ(share(0, 100, 100), 0);
}

}  // namespace
}  // namespace weft::search
