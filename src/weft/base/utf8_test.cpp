#include "weft/base/utf8.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace weft {
namespace {

using namespace std::string_literals;

struct Repaired {
  std::string text;
  std::size_t repairs = 0;
  bool copied = false;

  friend bool operator==(const Repaired&, const Repaired&) = default;
};

std::ostream& operator<<(std::ostream& out, const Repaired& r) {
  return out << '"' << r.text << "\" with " << r.repairs << " repairs, copied: " << r.copied;
}

Repaired repaired(std::string_view text, decltype(repair_utf8) repair) {
  std::string storage;
  Repaired result;
  const std::string_view view = repair(text, storage, result.repairs);
  result.text = view;
  result.copied = view.data() != text.data();
  return result;
}
Repaired utf8(std::string_view text) { return repaired(text, repair_utf8); }
Repaired json(std::string_view text) { return repaired(text, repair_json); }

Repaired as_it_was(std::string_view text) { return {.text = std::string(text)}; }
Repaired mended(std::string_view text, std::size_t repairs) {
  return {.text = std::string(text), .repairs = repairs, .copied = true};
}

TEST(RepairUtf8, ReturnsValidTextItselfSoThatTheCommonCaseCopiesNothing) {
  for (const std::string& text :
       {""s, "plain"s, "a line of ASCII that is longer than thirty-two bytes, and odd"s,
        "\0 is a character too"s, "h\u00E9llo"s, "\u07FF\u0800\uD7FF\uE000\uFFFD\uFFFF"s,
        "\U00010000\U0001F600\U0010FFFF"s}) {
    EXPECT_EQ(utf8(text), as_it_was(text));
  }
}

// The examples of the Unicode Standard, chapter 3, on U+FFFD substitution of
// maximal subparts (tables 3-8 to 3-11), which WHATWG decoders follow.
TEST(RepairUtf8, ReplacesMaximalSubpartsAsTheUnicodeTablesShow) {
  const std::string r = "\uFFFD";
  // Overlong forms.
  EXPECT_EQ(utf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            mended(r + r + r + r + r + r + r + r + "A", 8));
  // Surrogates.
  EXPECT_EQ(utf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            mended(r + r + r + r + r + r + r + r + "A", 8));
  // Beyond U+10FFFF, and bytes that are never used.
  EXPECT_EQ(utf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            mended(r + r + r + r + r + "A" + r + r + "B", 7));
  // Truncated sequences: one replacement for each.
  EXPECT_EQ(utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), mended(r + r + r + r + "A", 4));
}

TEST(RepairUtf8, ReplacesATruncatedEndOnceHoweverManyBytesOfItAreThere) {
  EXPECT_EQ(utf8("ab\xC3"), mended("ab\uFFFD", 1));
  EXPECT_EQ(utf8("ab\xE2\x82"), mended("ab\uFFFD", 1));
  EXPECT_EQ(utf8("ab\xF0\x9F\x98"), mended("ab\uFFFD", 1));
}

TEST(RepairUtf8, FindsABadByteAtEveryPlaceSoThatNoFastPathSkipsOne) {
  for (std::size_t size = 1; size <= 80; ++size) {
    for (std::size_t bad = 0; bad < size; ++bad) {
      std::string text(size, 'x');
      text[bad] = '\x80';
      std::string want(size, 'x');
      want.replace(bad, 1, "\uFFFD");
      ASSERT_EQ(utf8(text), mended(want, 1)) << "size " << size << ", bad byte " << bad;
    }
  }
}

TEST(RepairUtf8, AddsToTheCountSoThatAReportCanSumOverLines) {
  std::string storage;
  std::size_t repairs = 5;
  repair_utf8("\xFF", storage, repairs);
  EXPECT_EQ(repairs, 6u);
}

TEST(RepairUtf8, LeavesNothingToRepairWhateverTheBytes) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  // Bytes that matter most, so that sequences nearly come right.
  constexpr std::string_view kBytes =
      "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xE0\xED\xEF\xF0\xF4\xF5";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = kBytes[random() % kBytes.size()];
    const std::string once = utf8(text).text;
    ASSERT_EQ(utf8(once), as_it_was(once));
  }
}

TEST(RepairJson, ReturnsTextWithNothingLoneItself) {
  for (const char* text :
       {R"({"a":"plain"})", R"("\n\t\\\"\/\b\f\r\u00e9")", R"("\ud83d\ude00")", R"("\uD83D\uDE00")",
        R"("\uDBFF\uDFFF\ud800\udc00")", R"("\ud7ff\ue000")", R"("\uffff")"}) {
    EXPECT_EQ(json(text), as_it_was(text));
  }
}

TEST(RepairJson, ReplacesEachLoneHalf) {
  EXPECT_EQ(json(R"("\ud83d")"), mended(R"("\uFFFD")", 1));
  EXPECT_EQ(json(R"("\ude00")"), mended(R"("\uFFFD")", 1));
  EXPECT_EQ(json(R"("\uD83D tail")"), mended(R"("\uFFFD tail")", 1));
  EXPECT_EQ(json(R"("\ude00\ud83d")"), mended(R"("\uFFFD\uFFFD")", 2));
  EXPECT_EQ(json(R"("\ud83d\n\ude00")"), mended(R"("\uFFFD\n\uFFFD")", 2));
  EXPECT_EQ(json(R"("\ud83d\u0041")"), mended(R"("\uFFFD\u0041")", 1));
  EXPECT_EQ(json(R"({"\udfff":"\uDBFF"})"), mended(R"({"\uFFFD":"\uFFFD"})", 2));
}

TEST(RepairJson, KeepsThePairAfterALoneHalf) {
  EXPECT_EQ(json(R"("\ud83d\ud83d\ude00")"), mended(R"("\uFFFD\ud83d\ude00")", 1));
  EXPECT_EQ(json(R"("\ud83d\ude00\ude00")"), mended(R"("\ud83d\ude00\uFFFD")", 1));
}

TEST(RepairJson, CountsBackslashesSoThatAnEscapedOneStartsNoEscape) {
  EXPECT_EQ(json(R"("\\ud83d")"), as_it_was(R"("\\ud83d")"));
  EXPECT_EQ(json(R"("\\\ud83d")"), mended(R"("\\\uFFFD")", 1));
  EXPECT_EQ(json(R"("\\\\ud83d")"), as_it_was(R"("\\\\ud83d")"));
  EXPECT_EQ(json(R"("\ud83d\\ude00")"), mended(R"("\uFFFD\\ude00")", 1));
}

TEST(RepairJson, LeavesBrokenEscapesToTheParser) {
  for (const char* text : {R"("\ud83")", R"("\ud8)", R"("\u)", R"("\)", R"(\)", R"("\udg00")",
                           R"("\ud83g")", R"("\U000")"}) {
    EXPECT_EQ(json(text), as_it_was(text));
  }
}

TEST(RepairJson, FindsALoneHalfAtEveryPlaceSoThatNoFastPathSkipsOne) {
  for (std::size_t size = 0; size <= 140; ++size) {
    for (std::size_t at = 0; at <= size; ++at) {
      const std::string before(at, 'x');
      const std::string after(size - at, 'y');
      ASSERT_EQ(json(before + R"(\uD83d)" + after), mended(before + R"(\uFFFD)" + after, 1));
      ASSERT_EQ(json(before + R"(\udE00)" + after), mended(before + R"(\uFFFD)" + after, 1));
    }
  }
}

TEST(RepairJson, RepairsBytesAndEscapesInOneText) {
  EXPECT_EQ(json("\"\xFF\\ud83d\xFF\""), mended("\"\uFFFD\\uFFFD\uFFFD\"", 3));
  // A broken byte between two halves keeps them apart.
  EXPECT_EQ(json("\"\\ud83d\xFF\\ude00\""), mended("\"\\uFFFD\uFFFD\\uFFFD\"", 3));
}

TEST(CodePoints, AreCountedAndSlicedWhole) {
  const std::string text = "a\u00E9\u20AC\U0001F600z";
  EXPECT_EQ(count_code_points(""), 0u);
  EXPECT_EQ(count_code_points(text), 5u);
  EXPECT_EQ(slice_code_points(text, 0, 5), text);
  EXPECT_EQ(slice_code_points(text, 1, 3), "\u00E9\u20AC");
  EXPECT_EQ(slice_code_points(text, 3, 4), "\U0001F600");
  EXPECT_EQ(slice_code_points(text, 4, 99), "z");
}

// Eight bytes are counted at once, and what is left one by one.
TEST(CodePoints, AreCountedWhereverTheyBegin) {
  const std::string letters = "aé\u20AC\U0001F600z\x7F\u0080\uFFFD";
  std::string text;
  for (std::size_t points = 0; points < 40; points += 8) {
    for (std::size_t shift = 0; shift < 8; ++shift) {
      EXPECT_EQ(count_code_points(std::string(shift, 'x') + text), points + shift);
    }
    text += letters;
  }
}

TEST(CodePoints, ClampASliceToTheEnd) {
  EXPECT_EQ(slice_code_points("abc", 3, 4), "");
  EXPECT_EQ(slice_code_points("abc", 7, 9), "");
  EXPECT_EQ(slice_code_points("abc", 2, 2), "");
  EXPECT_EQ(slice_code_points("abc", 2, 1), "");
  EXPECT_EQ(slice_code_points("", 0, 1), "");
}

TEST(CutUtf8, EndsBetweenCharacters) {
  const std::string_view text = "a\u00E9\u20ACz";  // 1, 2, 3 and 1 bytes
  EXPECT_EQ(cut_utf8(text, 7), text);
  EXPECT_EQ(cut_utf8(text, 6), "a\u00E9\u20AC");
  EXPECT_EQ(cut_utf8(text, 5), "a\u00E9");
  EXPECT_EQ(cut_utf8(text, 2), "a");
  EXPECT_EQ(cut_utf8(text, 0), "");
  EXPECT_EQ(cut_utf8("\x80\x80\x80", 2), "") << "never in a loop without end";
}

}  // namespace
}  // namespace weft
