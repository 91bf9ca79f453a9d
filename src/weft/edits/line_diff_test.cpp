#include "weft/edits/line_diff.hpp"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace weft::edits {
namespace {

std::string text_of(const std::vector<Hunk>& hunks) {
  std::string text;
  for (const Hunk& hunk : hunks) {
    text += "@@ -" + std::to_string(hunk.before_first) + "," + std::to_string(hunk.before_count) +
            " +" + std::to_string(hunk.after_first) + "," + std::to_string(hunk.after_count) +
            " @@\n";
    for (const DiffLine& line : hunk.lines) {
      text += line.sign;
      text += line.text;
      text += line.has_end ? "\n" : "~\n";
    }
  }
  return text;
}

// Applies hunks as `patch` does, and so checks every number and line of them.
std::string patched(std::string_view before, const std::vector<Hunk>& hunks) {
  std::string after;
  std::size_t at = 0, line = 1;
  const auto pass = [&] {
    const std::size_t end = std::min(before.find('\n', at), before.size() - 1) + 1;
    std::string_view passed = before.substr(at, end - at);
    at = end;
    ++line;
    return passed;
  };
  for (const Hunk& hunk : hunks) {
    const std::size_t first = hunk.before_first + (hunk.before_count == 0 ? 1 : 0);
    while (line < first) after += pass();
    for (const DiffLine& one : hunk.lines) {
      const std::string content = std::string(one.text) + (one.has_end ? "\n" : "");
      if (one.sign != '+') EXPECT_EQ(pass(), content);
      if (one.sign != '-') after += content;
    }
  }
  while (at < before.size()) after += pass();
  return after;
}

TEST(LineDiff, ShowsALineThatChangedAmongThoseAroundIt) {
  EXPECT_EQ(text_of(diff_lines("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n")),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

TEST(LineDiff, EqualTextsHaveNoHunks) {
  EXPECT_TRUE(diff_lines("a\nb\n", "a\nb\n").empty());
  EXPECT_TRUE(diff_lines("", "").empty());
}

TEST(LineDiff, ANewAndAnEmptiedFile) {
  EXPECT_EQ(text_of(diff_lines("", "a\nb\n")), "@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(text_of(diff_lines("a\n", "")), "@@ -1,1 +0,0 @@\n-a\n");
}

TEST(LineDiff, AMissingNewlineIsADifference) {
  EXPECT_EQ(text_of(diff_lines("a\nb", "a\nb\n")), "@@ -1,2 +1,2 @@\n a\n-b~\n+b\n");
}

TEST(LineDiff, ChangesFarApartAreHunksOfTheirOwn) {
  EXPECT_EQ(text_of(diff_lines("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n")),
            "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

TEST(LineDiff, PatchingWithItGivesTheOtherText) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 500; ++round) {
    const auto some = [&] {
      std::string text;
      for (unsigned i = random() % 40; i > 0; --i) {
        text += static_cast<char>('a' + random() % 6);
        text += '\n';
      }
      if (random() % 4 == 0 && !text.empty()) text.pop_back();
      return text;
    };
    const std::string before = some(), after = some();
    for (const std::size_t context : {0u, 1u, 3u}) {
      ASSERT_EQ(patched(before, diff_lines(before, after, context)), after) << before << "--\n"
                                                                            << after;
    }
  }
}

TEST(LineDiff, TextsWithNothingInCommonAreReplacedAsAWhole) {
  std::string before, after;
  for (int i = 0; i < 5'000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(patched(before, diff_lines(before, after)), after);
}

TEST(PlainEnds, AreNewlinesAlone) { EXPECT_EQ(with_plain_ends("a\r\nb\n\rc\r"), "a\nb\n\rc\r"); }

}  // namespace
}  // namespace weft::edits
