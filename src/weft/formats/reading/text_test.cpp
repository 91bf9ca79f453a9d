#include "weft/formats/reading/text.hpp"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Words, AreTrimmedOfAllBlanks) {
  EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Words, OneLineHasSingleBlanksAndWholeCodePoints) {
  EXPECT_EQ(one_line("  a \n\t b  ", 10), "a b");
  EXPECT_EQ(one_line("äöü", 2), "äö");
}

TEST(Words, TheFirstLineIsTheFirstThatSaysAnything) {
  EXPECT_EQ(first_line("\n  \n a b \n c", 10), "a b");
  EXPECT_EQ(first_line("äöü\nx", 2), "äö");
  EXPECT_EQ(first_line(" \n", 10), "");
}

TEST(Words, ComponentsOfAPathHaveEitherSlash) {
  EXPECT_EQ(last_component("/a/b//"), "b");
  EXPECT_EQ(last_component("C:\\a\\b"), "b");
  EXPECT_EQ(last_component("b"), "b");
  EXPECT_EQ(last_component("//"), "");
  EXPECT_EQ(components("/a//b\\c/"), (Parts{"a", "b", "c"}));
  EXPECT_EQ(components(""), Parts());
}

TEST(Words, AStemHasLostOneSuffix) {
  EXPECT_EQ(stem_of("a.b.json"), "a.b");
  EXPECT_EQ(stem_of(".json"), ".json");
  EXPECT_EQ(stem_of("a"), "a");
}

TEST(Words, AUuidHasItsDashesAndNothingButDigits) {
  EXPECT_TRUE(is_uuid("aa9fe6c5-7e2e-494c-A2E1-1b3d8886658f"));
  EXPECT_FALSE(is_uuid("aa9fe6c5-7e2e-494c-a2e1-1b3d8886658"));
  EXPECT_FALSE(is_uuid("aa9fe6c5-7e2e-494c-a2e1-1b3d8886658g"));
  EXPECT_FALSE(is_uuid("aa9fe6c507e2e-494c-a2e1-1b3d8886658f"));
}

// The first bytes of BLAKE3 of nothing, from its specification's test vectors: states are kept
// in stores, so it may never be another.
TEST(Words, AHashIsTheBeginningOfBlake3) { EXPECT_EQ(hash_of(""), 0xaf1349b9f5f9a1a6u); }

}  // namespace
}  // namespace weft::formats
