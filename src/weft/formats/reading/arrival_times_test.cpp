#include "weft/formats/reading/arrival_times.hpp"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

ArrivalTimes arrivals(std::string_view json) {
  return ArrivalTimes(parse_json(json).value().value);
}

TEST(ArrivalTimes, AByteCameWithThePieceThatItStandsIn) {
  const ArrivalTimes times = arrivals("[[0,100],[10,200],[10,250],[30,300]]");
  EXPECT_EQ(times.of(0, 10).from, 100);
  EXPECT_EQ(times.of(0, 10).to, 100);
  EXPECT_EQ(times.of(9, 2).from, 100);
  EXPECT_EQ(times.of(9, 2).to, 250);
  EXPECT_EQ(times.of(30, 0).to, 300);
  EXPECT_EQ(times.all().from, 100);
  EXPECT_EQ(times.all().to, 300);
}

TEST(ArrivalTimes, WhatIsNoListOfTimesSaysNothing) {
  for (const char* none : {"null", "{}", "[]", "[1]", "[[0]]", "[[-1,5]]", "[[0,\"5\"]]",
                           "[[10,1],[5,2]]", "[[0,1,2]]"}) {
    EXPECT_TRUE(arrivals(none).empty()) << none;
    EXPECT_FALSE(arrivals(none).of(0, 1).from) << none;
  }
  EXPECT_FALSE(arrivals("[[5,1]]").of(0, 1).from) << "before the first";
}

}  // namespace
}  // namespace weft::formats
