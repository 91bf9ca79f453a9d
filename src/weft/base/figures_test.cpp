#include "weft/base/figures.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Figures, WritesDurationsAsPeopleSayThem) {
  EXPECT_EQ(duration(0), "0 ms");
  EXPECT_EQ(duration(999), "999 ms");
  EXPECT_EQ(duration(1'084), "1.1 s");
  EXPECT_EQ(duration(59'949), "59.9 s");
  EXPECT_EQ(duration(59'951), "1 min 0 s");
  EXPECT_EQ(duration(125'000), "2 min 5 s");
  EXPECT_EQ(duration(12'000'000), "3 h 20 min");
  EXPECT_EQ(duration(-5), "-5 ms");
}

TEST(Figures, WritesSizesWithOneDecimal) {
  EXPECT_EQ(byte_size(0), "0 B");
  EXPECT_EQ(byte_size(999), "999 B");
  EXPECT_EQ(byte_size(1'400), "1.4 kB");
  EXPECT_EQ(byte_size(999'960), "1.0 MB");
  EXPECT_EQ(byte_size(12'345'678), "12.3 MB");
}

TEST(Figures, GroupsDigitsByThree) {
  EXPECT_EQ(count(7), "7");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1'000), "1,000");
  EXPECT_EQ(count(1'234'567), "1,234,567");
  EXPECT_EQ(count(1, "thought"), "1 thought");
  EXPECT_EQ(count(0, "thought"), "0 thoughts");
}

}  // namespace
}  // namespace weft
