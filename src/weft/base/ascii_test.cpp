#include "weft/base/ascii.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Ascii, LowersLettersOfAsciiAlone) {
  EXPECT_EQ(to_lower('A'), 'a');
  EXPECT_EQ(to_lower('Z'), 'z');
  EXPECT_EQ(to_lower('@'), '@');
  EXPECT_EQ(to_lower('['), '[');
  EXPECT_EQ(to_lower("GZip, \u00C9T\u00C9"), "gzip, \u00C9t\u00C9");
}

TEST(Ascii, ComparesWithoutRegardToCase) {
  EXPECT_TRUE(equals_ignoring_case("Bearer", "bEARER"));
  EXPECT_FALSE(equals_ignoring_case("Bearer", "Bearer "));
  EXPECT_FALSE(equals_ignoring_case("\u00C9", "\u00E9"));
  EXPECT_TRUE(equals_ignoring_case("", ""));
}

TEST(Ascii, TrimsBothEndsAndNothingBetween) {
  EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("\n x \t", " \t"), "\n x");
}

TEST(Ascii, IsBlankOnlyWithoutAnythingToRead) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\r\n"));
  EXPECT_FALSE(is_blank(" . "));
}

}  // namespace
}  // namespace weft
