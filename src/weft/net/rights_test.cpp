#include "weft/net/rights.hpp"

#include <gtest/gtest.h>

namespace weft::net {
namespace {

TEST(Rights, AreReadAsTheyAreWritten) {
  for (const char* text : {"read", "read,push", "push", "keeper", "read,push,keeper"}) {
    const auto rights = Rights::parse(text);
    ASSERT_TRUE(rights) << text;
    EXPECT_EQ(rights->str(), text);
  }
  EXPECT_EQ(Rights::parse("push,read")->str(), "read,push");
  EXPECT_EQ(Rights::parse("read,push,keeper"), Rights::all());
}

TEST(Rights, OfAnUnknownNameAreNoneAtAll) {
  for (const char* text :
       {"", ",", "read,", ",read", "Read", "read push", "read, push", "write", "read,read"}) {
    EXPECT_FALSE(Rights::parse(text)) << text;
  }
}

TEST(Rights, HoldOnlyWhatWasGiven) {
  const Rights rights{Right::read, Right::keeper};
  EXPECT_TRUE(rights.has(Right::read));
  EXPECT_TRUE(rights.has(Right::keeper));
  EXPECT_FALSE(rights.has(Right::push));
  EXPECT_TRUE(Rights().empty());
}

}  // namespace
}  // namespace weft::net
