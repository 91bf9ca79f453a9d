#include "weft/cli/render/marked.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

using Lines = std::vector<std::string>;

const Style kPlain{};
const Style kColours{.colours = true};

TEST(Marked, IsBoldWhereThereAreColoursAndBetweenStarsWhereThereAreNone) {
  const Marked marked{"the loom is stuck", {{4, 8}, {12, 17}}};
  EXPECT_EQ(laid_out(marked, kColours, 80), Lines{"the \x1b[1mloom\x1b[0m is \x1b[1mstuck\x1b[0m"});
  EXPECT_EQ(laid_out(marked, kPlain, Style::kUnlimited), Lines{"the **loom** is **stuck**"});
}

TEST(Marked, CountsCodePointsNotBytes) {
  EXPECT_EQ(laid_out({"ünï 織機 x", {{4, 6}}}, kPlain, 80), Lines{"ünï **織機** x"});
}

TEST(Marked, BreaksAtBlanksWithNoneLeftAtEitherEnd) {
  EXPECT_EQ(laid_out({"one two  three", {}}, kPlain, 7), (Lines{"one two", "three"}));
  EXPECT_EQ(laid_out({"one two three", {}}, kPlain, 6), (Lines{"one", "two", "three"}));
}

TEST(Marked, BreaksAWordOnlyWhereItAloneIsTooWide) {
  EXPECT_EQ(laid_out({"an incomprehensible end", {}}, kPlain, 8),
            (Lines{"an", "incompre", "hensible", "end"}));
  // Each of these is two columns wide.
  EXPECT_EQ(laid_out({"織機織機", {}}, kPlain, 5), (Lines{"織機", "織機"}));
  EXPECT_EQ(laid_out({"織機", {}}, kPlain, 1), (Lines{"織", "機"}));
}

TEST(Marked, StarsTakeRoomToo) {
  EXPECT_EQ(laid_out({"aa bb cc", {{3, 5}}}, kPlain, 8), (Lines{"aa", "**bb**", "cc"}));
  EXPECT_EQ(laid_out({"aa bb cc", {{3, 5}}}, kColours, 8), Lines{"aa \x1b[1mbb\x1b[0m cc"});
}

TEST(Marked, AMarkThatIsBrokenStandsOutOnBothLines) {
  EXPECT_EQ(laid_out({"aa bb", {{0, 5}}}, kColours, 2),
            (Lines{"\x1b[1maa\x1b[0m", "\x1b[1mbb\x1b[0m"}));
}

TEST(Marked, DrivesNoTerminal) {
  const Lines lines = laid_out({"a\x1b[2Jb\x07\xE2\x80\xAE\xff", {{0, 99}}}, kPlain, 80);
  EXPECT_EQ(lines, Lines{"**a␛[2Jb␇\xEF\xBF\xBD\xEF\xBF\xBD**"});
}

TEST(Marked, NothingIsNoLine) {
  EXPECT_EQ(laid_out({"", {}}, kPlain, 80), Lines{});
  EXPECT_EQ(laid_out({"  ", {{0, 2}}}, kPlain, 80), Lines{});
}

}  // namespace
}  // namespace weft::cli
