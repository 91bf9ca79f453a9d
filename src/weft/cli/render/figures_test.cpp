#include "weft/cli/render/figures.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

TEST(Figures, SaysNothingOfAMomentThatNobodyKnows) {
  EXPECT_EQ(local_date_time(0), "-");
  EXPECT_EQ(local_time(0), "-");
  EXPECT_EQ(local_date_time(1'738'417'334'720).size(), 19u);
  EXPECT_EQ(local_time(1'738'417'334'720).size(), 8u);
}

}  // namespace
}  // namespace weft::cli
