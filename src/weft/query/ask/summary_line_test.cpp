#include "weft/query/ask/summary_line.hpp"

#include <gtest/gtest.h>

namespace weft::query {
namespace {

TEST(FirstWords, AreOnOneLine) {
  EXPECT_EQ(first_words("  one\n\n  two\tthree \r\n"), "one two three");
  EXPECT_EQ(first_words(" \n "), "");
  EXPECT_EQ(first_words("a\u2028b"), "a b");
}

TEST(FirstWords, OfAMegabyteEndBetweenCharacters) {
  std::string long_text = "x";
  for (int i = 0; i < 400'000; ++i) long_text += "é ";
  const std::string words = first_words(long_text);
  EXPECT_LT(words.size(), 3'000u);
  EXPECT_TRUE(words.ends_with("é…") || words.ends_with("é …")) << words.substr(words.size() - 8);
}

TEST(Brief, NamesAThoughtByTwelveDigits) {
  EXPECT_EQ(brief("cid:blake3:3f2a91c0b1d2e3f4"), "3f2a91c0b1d2");
  EXPECT_EQ(brief("3f2a"), "3f2a");
}

TEST(Gist, KeepsWordsAsTheyWereSaid) {
  EXPECT_EQ(
      summary_line({{"type", "anthropic/response"}, {"content", {{"text", "\x1b[2Jgone\n now"}}}}),
      "\x1b[2Jgone now");
  EXPECT_EQ(
      summary_line({{"type", "anthropic/thinking"}, {"content", {{"$layers", json::object()}}}}),
      "(sealed)");
}

}  // namespace
}  // namespace weft::query
