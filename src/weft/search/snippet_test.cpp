#include "weft/search/snippet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>

#include "weft/base/utf8.hpp"

namespace weft::search {
namespace {

using namespace std::string_literals;

// The snippet with its marks in brackets.
std::string snippet(std::string_view text, std::string_view query, std::size_t code_points = 200,
                    const std::vector<double>& weights = {}) {
  return with_marks(make_snippet(text, parse_query(query), weights, code_points), "[", "]");
}

// "a b c …": that many meaningless words.
std::string filler(std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += "filler ";
  return text;
}

TEST(Snippet, IsAShortTextWithItsMatchesMarked) {
  EXPECT_EQ(snippet("The red cat sat.", "cat"), "The red [cat] sat.");
  EXPECT_EQ(snippet("Cat, CAT and cats", "cat"), "[Cat], [CAT] and cats");
  EXPECT_EQ(snippet("red cat", "cat red"), "[red] [cat]");
  EXPECT_EQ(snippet("", "cat"), "");
}

TEST(Snippet, SaysWhereItsMarksAreInCodePoints) {
  const Snippet made = make_snippet("\u00E9\u00E9 \U0001F44D cat", parse_query("cat"), {}, 99);
  EXPECT_EQ(made.marks, std::vector{(Mark{.begin = 5, .end = 8})});
}

TEST(Snippet, IsTheBeginningWhereNothingMatches) {
  EXPECT_EQ(snippet("The red cat sat.", "dog"), "The red cat sat.");
  EXPECT_EQ(snippet("The red cat sat.", "", 12), "The red cat\u2026");
  EXPECT_EQ(snippet("The red cat sat.", "", 11), "The red\u2026");
  EXPECT_EQ(snippet(std::string(100000, '\n') + "The red cat sat.", "dog", 12),
            "The red cat\u2026");
}

TEST(Snippet, IsCutAroundTheMatchBetweenWords) {
  EXPECT_EQ(snippet("one two three four cat five six seven eight", "cat", 21),
            "\u2026four [cat] five six\u2026");
  EXPECT_EQ(snippet("cat five six seven eight", "cat", 14), "[cat] five six\u2026");
  EXPECT_EQ(snippet("one two three four cat", "cat", 15), "\u2026three four [cat]");
  EXPECT_EQ(snippet("one two three four cat", "cat", 14), "\u2026four [cat]");
  EXPECT_EQ(snippet("one two three four cat  \n", "cat", 15), "\u2026three four [cat]");
}

TEST(Snippet, IsCutBetweenCodePointsWhereAWordIsTooLong) {
  const std::string word(100, 'x');
  EXPECT_EQ(snippet(word, "", 10), "xxxxxxxxx\u2026");
  EXPECT_EQ(snippet(word, word, 10), "[xxxxxxxxx]\u2026");
  EXPECT_EQ(snippet("a " + word + " b", word, 6), "\u2026[xxxx]\u2026");
  EXPECT_EQ(snippet("a cat " + word, "cat", 40), "a [cat] " + std::string(33, 'x') + "\u2026");
  EXPECT_EQ(snippet("a cat " + word, "cat", 30), "a [cat]\u2026");
  EXPECT_EQ(snippet("\u00E9\u00E9\u00E9\u00E9\u00E9\u00E9", "", 3), "\u00E9\u00E9\u2026");
}

TEST(Snippet, KeepsWithinAnyLimit) {
  EXPECT_EQ(snippet("one two cat", "cat", 0), "");
  EXPECT_EQ(snippet("one two cat", "cat", 1), "[c]");
  EXPECT_EQ(snippet("one two cat", "cat", 2), "[ca]");
  EXPECT_EQ(snippet("one two cat", "cat", 4), "\u2026[cat]");
  EXPECT_EQ(snippet("one two cat", "cat", 11), "one two [cat]");
}

TEST(Snippet, ShowsTheWindowWithTheMostDifferentWords) {
  const std::string text =
      "cat cat cat " + filler(50) + "a dog and a cat " + filler(50) + "dog dog dog dog";
  EXPECT_EQ(snippet(text, "cat dog", 21), "\u2026a [dog] and a [cat]\u2026");
}

TEST(Snippet, ShowsRarerWordsBeforeMoreOfCommonOnes) {
  const std::string text = "red cat " + filler(50) + "a zebra here " + filler(50);
  EXPECT_EQ(snippet(text, "red cat zebra", 16, {1, 1, 5}), "\u2026a [zebra] here\u2026");
  EXPECT_EQ(snippet(text, "red cat zebra", 16, {3, 3, 5}), "[red] [cat] filler\u2026");
}

TEST(Snippet, ShowsMoreMatchesAndThenTheEarliest) {
  const std::string text = "x cat y " + filler(9) + "cat a cat " + filler(9) + "cat b cat";
  EXPECT_EQ(snippet(text, "cat", 12), "\u2026[cat] a [cat]\u2026");
  EXPECT_EQ(snippet("x cat y " + filler(9) + "cat z", "cat", 8), "x [cat] y\u2026");
}

TEST(Snippet, TakesWeightsThatSayNothingForAllAlike) {
  for (const std::vector<double>& weights :
       {std::vector<double>{}, {0, 0}, {-1, -1}, {std::nan(""), 0}, {1, 2, 3}}) {
    EXPECT_EQ(snippet("dog " + filler(9) + "dog cat", "cat dog", 9, weights), "\u2026[dog] [cat]");
  }
}

TEST(Snippet, MarksTheLongestTermOfAWord) {
  EXPECT_EQ(snippet("see src/fileName.hpp now", "src/filename.hpp"), "see [src/fileName.hpp] now");
  EXPECT_EQ(snippet("the src of fileName.hpp", "src/filename.hpp"), "the [src] of [fileName.hpp]");
  EXPECT_EQ(snippet("getFileName()", "file"), "get[File]Name()");
  EXPECT_EQ(snippet("don\u2019t", "don't"), "[don\u2019t]");
}

TEST(Snippet, MarksTheWordOfAPrefix) {
  EXPECT_EQ(snippet("a category of cats", "cat*"), "a [category] of [cats]");
  EXPECT_EQ(snippet("src/file.hpp", "sr*"), "[src]/file.hpp");
  EXPECT_EQ(snippet("src/file.hpp src", "src/fi*"), "[src/file.hpp] src");
  EXPECT_EQ(snippet("a category", "cat* cate* categories*"), "a [category]");
}

TEST(Snippet, MarksPhrasesAsRunsOnly) {
  EXPECT_EQ(snippet("a red cat, the red dog", "\"the red\""), "a red cat, [the red] dog");
  EXPECT_EQ(snippet("the\n\n red. The-red", "\"the red\""), "[the red]. [The-red]");
  EXPECT_EQ(snippet("the blue red", "\"the red\""), "the blue red");
  EXPECT_EQ(snippet("a a a b", "\"a a b\""), "a [a a b]");
  EXPECT_EQ(snippet("x the red cat y", "\"the red\" \"red cat\" cat"), "x [the red cat] y");
}

TEST(Snippet, NeverMarksWhatMustNotBeThere) {
  EXPECT_EQ(snippet("red cat", "cat -red"), "red [cat]");
  EXPECT_EQ(snippet("red cat", "-red"), "red cat");
}

TEST(Snippet, MarksPairsOfScriptsWithoutSpacesAsOne) {
  EXPECT_EQ(snippet("\u3053\u308C\u306F\u6F22\u5B57\u8A9E\u3002", "\u6F22\u5B57\u8A9E"),
            "\u3053\u308C\u306F[\u6F22\u5B57\u8A9E]\u3002");
  EXPECT_EQ(snippet("\u3053\u308C\u306F\u6F22\u5B57\u3067\u3059\u3002", "\u6F22\u5B57", 6),
            "\u2026\u306F[\u6F22\u5B57]\u3067\u2026");
}

TEST(Snippet, IsOneLineThatMisleadsNobody) {
  EXPECT_EQ(snippet("  red\r\n\t\n  cat\u00A0\u2028 sat \n", "cat"), "red [cat] sat");
  EXPECT_EQ(snippet("r\x1B[31med\0 c\x7F"s + "at \u0080x", ""), "red cat x");
  EXPECT_EQ(snippet("\x1B[1;31mred\x1B[0m cat\x1B[", "cat"), "red [cat][");
  EXPECT_EQ(snippet("\u202Ered\u202C \u2066cat\u2069\u200E\u200F\u061C", "cat"), "red [cat]");
  EXPECT_EQ(snippet("re\u200Bd \U000E0041\U000E007F\uFEFFcat\u2060", "cat"), "red [cat]");
  EXPECT_EQ(snippet("con\u00ADtent", "content"), "[content]");
  EXPECT_EQ(snippet("a\xFF\xC3 cat", "cat"), "a\uFFFD\uFFFD [cat]");
  EXPECT_EQ(snippet("\u2764\uFE0F", ""), "\u2764\uFE0F");
}

TEST(Snippet, FindsTheOnlyMatchAtTheEndOfALargeText) {
  std::string text;
  while (text.size() < (20 << 20)) text += "some words that nobody looks for\n";
  EXPECT_EQ(snippet(text + "a cat sat", "cat", 12), "\u2026a [cat] sat");
  EXPECT_EQ(snippet(text + "a cat sat", "\"a cat\"", 12), "\u2026[a cat] sat");
}

TEST(Snippet, FindsAPhraseAcrossThePiecesThatALargeTextIsReadIn) {
  std::string text;
  while (text.size() < (3 << 20)) text += "one two three ";
  const std::size_t all = count_phrase(text, {"three", "one"});
  EXPECT_EQ(all, text.size() / 14 - 1);
  // A limit as long as the text: every phrase is marked.
  const Snippet made = make_snippet(text, parse_query("\"three one\""), {}, text.size());
  EXPECT_EQ(made.marks.size(), all);
}

TEST(Snippet, LooksForTheHeaviestOfVeryManyWords) {
  std::string query;
  std::vector<double> weights;
  for (int i = 0; i < 10000; ++i) {
    query += "w" + std::to_string(i) + "x ";
    weights.push_back(i);
  }
  EXPECT_EQ(snippet("w3x w9999x", query, 99, weights), "w3x [w9999x]");
}

TEST(WithMarks, PutsEachMarkBetweenTheTwo) {
  const Snippet made{.text = "\u00E9a\U0001F44Db", .marks = {{0, 1}, {2, 4}}};
  EXPECT_EQ(with_marks(made, "<b>", "</b>"), "<b>\u00E9</b>a<b>\U0001F44Db</b>");
  EXPECT_EQ(with_marks({.text = "abc"}, "<", ">"), "abc");
  EXPECT_EQ(with_marks({}, "<", ">"), "");
}

TEST(CountPhrase, CountsRunsOfLeavesHoweverTheyAreJoined) {
  EXPECT_EQ(count_phrase("the red cat; The-Red_cat, theRed", {"the", "red"}), 3u);
  EXPECT_EQ(count_phrase("the red cat", {"the", "cat"}), 0u);
  EXPECT_EQ(count_phrase("the red", {"the", "red", "cat"}), 0u);
  EXPECT_EQ(count_phrase("red red red", {"red", "red"}), 2u);
  EXPECT_EQ(count_phrase("a b a b a c", {"a", "b", "a", "c"}), 1u);
  EXPECT_EQ(count_phrase("a a b a a a b", {"a", "a", "b"}), 2u);
  EXPECT_EQ(count_phrase("cat", {"cat"}), 1u);
  EXPECT_EQ(count_phrase("cat", {}), 0u);
  EXPECT_EQ(count_phrase("", {"cat"}), 0u);
  // What has no terms keeps its neighbours apart.
  EXPECT_EQ(count_phrase("the " + std::string(2000, 'x') + " red", {"the", "red"}), 0u);
}

TEST(Snippet, OfRandomTextKeepsItsPromises) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  static const std::vector<std::string> kPieces = {
      "cat",      "dog",    "the",    " ",      " ",      "\n",         "/",         "_",
      "Zebra",    "\u00E9", "\u6F22", "\u5B57", "\u0301", "\u202E",     "\u200B",    "\xFF",
      "\xE2\x80", "\0"s,    "\x1B",   ".",      "x9",     "\U0001F44D", "a red fox", "\uFE0F"};
  const Query query = parse_query("cat +dog -the \"a red fox\" ze* \u6F22\u5B57 x9/cat");
  for (int round = 0; round < 10000; ++round) {
    std::string text;
    for (std::size_t i = random() % 30; i > 0; --i) text += kPieces[random() % kPieces.size()];
    const std::size_t limit = random() % 40;
    const Snippet made = make_snippet(text, query, {}, limit);
    std::string storage;
    std::size_t repairs = 0;
    repair_utf8(made.text, storage, repairs);
    ASSERT_EQ(repairs, 0u);
    const std::size_t size = count_code_points(made.text);
    ASSERT_LE(size, limit);
    std::size_t end = 0;
    for (const Mark& mark : made.marks) {
      ASSERT_TRUE(mark.begin > end || (mark.begin == 0 && end == 0));
      ASSERT_LT(mark.begin, mark.end);
      end = mark.end;
    }
    ASSERT_LE(end, size);
  }
}

}  // namespace
}  // namespace weft::search
