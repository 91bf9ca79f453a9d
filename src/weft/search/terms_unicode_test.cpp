// Terms beyond ASCII, and of bytes that are no text at all.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "weft/search/terms.hpp"
#include "weft/search/terms_for_test.hpp"

namespace weft::search {
namespace {

using namespace std::string_literals;
using test::emitted_terms;
using test::EmittedTerm;
using test::source_of;
using test::terms;

TEST(Terms, BeyondAsciiAreFoldedAsUnicodeSays) {
  EXPECT_EQ(terms("Stra\u00DFe"), "0:strasse*");
  EXPECT_EQ(terms("\u00C4rger"), "0:\u00E4rger*");
  EXPECT_EQ(terms("A\u0308rger"), "0:\u00E4rger*");  // written in two characters
  EXPECT_EQ(terms("caf\u00E9 cafe"), "0:caf\u00E9* 1:cafe*");
  EXPECT_EQ(terms("\u041F\u0440\u0438\u0432\u0435\u0442"),
            "0:\u043F\u0440\u0438\u0432\u0435\u0442*");
  EXPECT_EQ(terms("\uFF26\uFF55\uFF4C\uFF4C"), "0:full*");  // full width
  EXPECT_EQ(terms("\uFB01ne"), "0:fine*");                  // a ligature
  EXPECT_EQ(terms("\u03A3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C2"),
            "0:\u03C3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C3*");  // both kinds of sigma
  EXPECT_EQ(terms("\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627"),
            "0:\u05E9\u05DC\u05D5\u05DD* 1:\u0645\u0631\u062D\u0628\u0627*");
  EXPECT_EQ(terms("\u0939\u093F\u0928\u094D\u0926\u0940"),
            "0:\u0939\u093F\u0928\u094D\u0926\u0940*");  // marks are of the word
}

TEST(Terms, BeyondAsciiHaveJointsAndHumpsToo) {
  EXPECT_EQ(terms("stra\u00DFe/k\u00F6ln.txt"),
            "0:strasse/k\u00F6ln.txt 0:strasse* 1:k\u00F6ln.txt 1:k\u00F6ln* 2:txt*");
  EXPECT_EQ(terms("get\u00DCberName"), "0:get\u00FCbername 0:get* 1:\u00FCber* 2:name*");
  EXPECT_EQ(source_of("get\u00DCberName", "\u00FCber"), "\u00DCber");
  EXPECT_EQ(terms("x-\u00E9"), "0:x-\u00E9 0:x* 1:\u00E9*");
}

TEST(Terms, HoldOfAsciiOnlyLettersDigitsAndJoints) {
  EXPECT_EQ(terms("\u2474"), "0:1*");         // folds to (1)
  EXPECT_EQ(terms("\u037Ax"), "0:\u03B9x*");  // folds to a blank and more
}

TEST(Terms, IgnoreWhatHasNoWidthWithinAWord) {
  EXPECT_EQ(terms("con\u00ADtent"), "0:content*");
  EXPECT_EQ(terms("\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"),
            "0:\u0645\u06CC\u062E\u0648\u0627\u0647\u0645*");
  EXPECT_EQ(terms("a1\u200B b1"), "0:a1* 1:b1*");
  EXPECT_EQ(source_of("con\u00ADtent\u00AD.", "content"), "con\u00ADtent");
  EXPECT_EQ(terms("\u00AD \uFE0F \u200D"), "");
}

TEST(Terms, OfScriptsWithoutSpacesAreCharactersAndPairs) {
  EXPECT_EQ(terms("\u6F22"), "0:\u6F22*");
  EXPECT_EQ(terms("\u6F22\u5B57\u3067"),
            "0:\u6F22\u5B57 0:\u6F22* 1:\u5B57\u3067 1:\u5B57* "
            "2:\u3067*");
  EXPECT_EQ(terms("\u6F22 \u5B57"), "0:\u6F22* 1:\u5B57*");
  EXPECT_EQ(terms("\u4EBA\u3005"), "0:\u4EBA\u3005 0:\u4EBA* 1:\u3005*");
  EXPECT_EQ(terms("\uD55C\uAE00"), "0:\uD55C\uAE00 0:\uD55C* 1:\uAE00*");
  EXPECT_EQ(terms("\u0E44\u0E17\u0E22"),
            "0:\u0E44\u0E17 0:\u0E44* 1:\u0E17\u0E22 1:\u0E17* "
            "2:\u0E22*");
  EXPECT_EQ(terms("\U00020000\U00020001"), "0:\U00020000\U00020001 0:\U00020000* 1:\U00020001*");
  // Punctuation parts them, as anywhere.
  EXPECT_EQ(terms("\u6F22\u3002\u5B57"), "0:\u6F22* 1:\u5B57*");
}

TEST(Terms, OfScriptsWithoutSpacesTakeTheirMarksAlong) {
  EXPECT_EQ(terms("\u0E17\u0E35\u0E48"), "0:\u0E17\u0E35\u0E48*");
  EXPECT_EQ(terms("\u304B\u3099"), "0:\u304C*");        // が in two characters
  EXPECT_EQ(terms("\uFF76\uFF9E"), "0:\u30AC*");        // ガ in half width
  EXPECT_EQ(terms("\u1112\u1161\u11AB"), "0:\uD55C*");  // 한 letter by letter
  EXPECT_EQ(source_of("\uFF76\uFF9E", "\u30AC"), "\uFF76\uFF9E");
}

TEST(Terms, OfScriptsWithoutSpacesBreakOtherWords) {
  EXPECT_EQ(terms("abc\u6F22def"), "0:abc* 1:\u6F22* 2:def*");
  EXPECT_EQ(terms("x/\u6F22.txt"), "0:x* 1:\u6F22* 2:txt*");
}

TEST(Terms, AreEmojiOneByOne) {
  EXPECT_EQ(terms("ok\U0001F44D\U0001F3FD!"), "0:ok* 1:\U0001F44D*");
  EXPECT_EQ(terms("\u2764\uFE0F\u200D\U0001F525"), "0:\u2764* 1:\U0001F525*");
  EXPECT_EQ(terms("\u2714\u2714"), "0:\u2714* 1:\u2714*");
}

TEST(Terms, OfAnyBytesAreWords) {
  EXPECT_EQ(terms("x\0y"s), "0:x* 1:y*");
  EXPECT_EQ(terms("x\xFFy\xC3 z\xE2\x80"), "0:x* 1:y* 2:z*");
  EXPECT_EQ(terms("x\xED\xA0\x80y"), "0:x* 1:y*");  // a surrogate
  EXPECT_EQ(terms("\x80\xBF"), "");
  EXPECT_EQ(terms("x.\xFF"), "0:x*");
  EXPECT_EQ(terms("x\x1B[31mred"), "0:x* 1:red*");
}

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"a",
                                                   "B",
                                                   "z",
                                                   "Zz",
                                                   "7",
                                                   "v1",
                                                   "abcdef0123",
                                                   " ",
                                                   "  ",
                                                   "\n",
                                                   ".",
                                                   "_",
                                                   "__",
                                                   "-",
                                                   "/",
                                                   ":",
                                                   "::",
                                                   "'",
                                                   "@",
                                                   "=",
                                                   "\u2019",
                                                   "\u00E9",
                                                   "\u00C9",
                                                   "\u0301",
                                                   "\u00AD",
                                                   "\u200D",
                                                   "\uFE0F",
                                                   "\u6F22",
                                                   "\u5B57",
                                                   "\uFF76",
                                                   "\uFF9E",
                                                   "\u1112",
                                                   "\u1161",
                                                   "\u0E17",
                                                   "\u0E35",
                                                   "\u2474",
                                                   "\uFDFA",
                                                   "\uFB01",
                                                   "\u0436",
                                                   "\u0130",
                                                   "\u0345",
                                                   "\u115F",
                                                   "\xFF",
                                                   "\xC3",
                                                   "\xE2\x80",
                                                   "\0"s,
                                                   "\U0001F44D",
                                                   "\U0001F3FD",
                                                   "the",
                                                   "URLs",
                                                   "\u05E9",
                                                   std::string(400, 'x'),
                                                   std::string(700, '=')};
  std::string text;
  for (std::size_t i = random() % 24; i > 0; --i) text += kPieces[random() % kPieces.size()];
  return text;
}

TEST(Terms, OfRandomTextKeepTheirPromises) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 10000; ++round) {
    const std::string text = random_text(random);
    const bool may_hold_data = text.size() > kMaxDataBytes;
    std::uint32_t position = 0, leaves = 0;
    std::size_t leaf_end = 0;
    for (const EmittedTerm& term : emitted_terms(text)) {
      ASSERT_LT(term.begin, term.end);
      ASSERT_LE(term.end, text.size());
      ASSERT_FALSE(term.text.empty());
      ASSERT_LE(term.text.size(), kMaxTermBytes);
      ASSERT_GE(term.position, position);
      position = term.position;
      if (!term.is_leaf) continue;
      ASSERT_GE(term.begin, leaf_end);
      leaf_end = term.end;
      ASSERT_TRUE(may_hold_data ? position >= leaves : position == leaves);
      leaves = position + 1;
    }
  }
}

}  // namespace
}  // namespace weft::search
