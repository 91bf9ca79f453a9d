#include "weft/cli/render/text.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

TEST(Text, ShowsEscapesInsteadOfObeyingThem) {
  EXPECT_EQ(made_safe("\x1b[31mred\x1b[0m"), "␛[31mred␛[0m");
  EXPECT_EQ(made_safe("\x1b]0;title\x07"), "␛]0;title␇");
  EXPECT_EQ(made_safe("\x7f"), "␡");
  EXPECT_EQ(made_safe("\xc2\x9b"
                      "31m"),
            "\xEF\xBF\xBD"
            "31m");
}

TEST(Text, KeepsLinesAndTabsSoThatCodeStaysReadable) {
  EXPECT_EQ(made_safe("a\n\tb\r\nc"), "a\n\tb\nc");
  EXPECT_EQ(made_safe("over\rwritten"), "over␍written");
}

TEST(Text, DoesNotLetWritingDirectionBeTurned) {
  EXPECT_EQ(made_safe("a\u202Eb"), "a\uFFFDb");
  EXPECT_EQ(made_safe("a\u2066b"), "a\uFFFDb");
  EXPECT_EQ(made_safe("👩\u200D🔬"), "👩\u200D🔬");
}

TEST(Text, ShowsWhatHasNoWidth) {
  for (const char* hidden : {"\u200E", "\u200F", "\u061C", "\u200B", "\u2060", "\uFEFF"}) {
    EXPECT_EQ(made_safe(std::string("pay") + hidden + "pal"), "pay\uFFFDpal");
    EXPECT_EQ(on_one_line(std::string("pay") + hidden + "pal"), "pay\uFFFDpal");
  }
  EXPECT_EQ(made_safe("pay\u200Dpal"), "pay\uFFFDpal") << "a joiner that joins nothing";
  EXPECT_EQ(made_safe("می\u200Cخواهم"), "می\u200Cخواهم");
}

TEST(Text, EscapesJsonForATerminalSoThatItSaysTheSame) {
  EXPECT_EQ(escaped_for_terminal("{\"a\":\"\u009b31m\u007f\"}"), "{\"a\":\"\\u009b31m\\u007f\"}");
  EXPECT_EQ(escaped_for_terminal("\"\u202Eabc\u2066\u200E\""), "\"\\u202eabc\\u2066\\u200e\"");
  EXPECT_EQ(escaped_for_terminal("\"\U000E0041\""), "\"\\udb40\\udc41\"") << "a tag character";
  EXPECT_EQ(escaped_for_terminal("\"é 👩 \\u0041\n\""), "\"é 👩 \\u0041\n\"");
}

TEST(Text, MendsBrokenUtf8SoThatATerminalIsNotConfused) {
  EXPECT_EQ(made_safe("a\xff"
                      "b"),
            "a\uFFFDb");
}

TEST(Text, PutsWordsOnOneLine) {
  EXPECT_EQ(on_one_line("  one\n\n  two\tthree \r\n"), "one two three");
  EXPECT_EQ(on_one_line(" \n "), "");
  EXPECT_EQ(on_one_line("a\u2028b"), "a b");
}

TEST(Text, TakesOnlyTheBeginningOfAMegabyte) {
  std::string long_text;
  for (int i = 0; i < 400'000; ++i) long_text += "é ";
  const std::string words = first_words(long_text);
  EXPECT_LT(words.size(), 3'000u);
  EXPECT_TRUE(words.ends_with("…"));
  EXPECT_EQ(words.find("\uFFFD"), std::string::npos);
}

TEST(Text, MeasuresColumnsAndNotBytes) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("éü"), 2u);
  EXPECT_EQ(display_width("漢字"), 4u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
}

TEST(Text, CutsToTheColumnsThereAre) {
  EXPECT_EQ(fitted("abcdef", 6), "abcdef");
  EXPECT_EQ(fitted("abcdefg", 6), "abcde…");
  EXPECT_EQ(fitted("one two", 5), "one…");
  EXPECT_EQ(fitted("漢字漢字", 5), "漢字…");
  EXPECT_EQ(fitted("abc", 1), "…");
  EXPECT_EQ(fitted("abc", 0), "");
}

}  // namespace
}  // namespace weft::cli
