#include "weft/formats/framing/json_value_scanner.hpp"

#include <gtest/gtest.h>

#include "weft/formats/framing/record_buffer.hpp"

namespace weft::formats {
namespace {

TEST(CountUnmarked, StopsAtTheFirstMarkWhereverItStands) {
  for (const char mark : {'"', '\\'}) {
    for (std::size_t size = 1; size <= 20; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        // Bytes that differ from a mark in one bit, or by the highest.
        for (const char filler : {'x', '!', '#', ']', '\xA2', '\0'}) {
          std::string text(size, filler);
          text[at] = mark;
          text.back() = mark;
          ASSERT_EQ(count_unmarked(text), at) << size;
        }
      }
    }
  }
}

TEST(CountUnmarked, IsTheWholeOfATextWithoutMarks) {
  for (std::size_t size = 0; size <= 20; ++size) {
    EXPECT_EQ(count_unmarked(std::string(size, '#')), size);
  }
}

TEST(CountLineEnds, FindsThemAtEveryPlaceAndNothingElse) {
  for (std::size_t size = 0; size <= 20; ++size) {
    EXPECT_EQ(count_line_ends(std::string(size, '\n')), size);
    // One below, one above, and with the highest bit.
    EXPECT_EQ(count_line_ends(std::string(size, '\x09')), 0u);
    EXPECT_EQ(count_line_ends(std::string(size, '\x0B')), 0u);
    EXPECT_EQ(count_line_ends(std::string(size, '\x8A')), 0u);
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, '\x0B');
      text[at] = '\n';
      EXPECT_EQ(count_line_ends(text), 1u) << at << " of " << size;
    }
  }
}

JsonValueScanner::Step scan(std::string_view text) {
  JsonValueScanner scanner;
  scanner.start();
  return scanner.feed(text);
}

TEST(JsonValueScanner, EndsAValueByItsKind) {
  EXPECT_EQ(scan(R"({"a":[1,"}"]},2)").outcome, 13u);
  EXPECT_EQ(scan(R"("a\"b",2)").outcome, 6u);
  EXPECT_EQ(scan("12 ,2").outcome, 3u);
  EXPECT_EQ(scan(R"(tru"e)").outcome, 3u);
  EXPECT_FALSE(scan(R"(["a)").done);
  EXPECT_FALSE(scan("12").done);
}

TEST(JsonValueScanner, ClosesWhatWasLeftOpenInside) {
  EXPECT_EQ(scan("{[}1").outcome, 3u);
  EXPECT_FALSE(scan("[}1").done);
}

}  // namespace
}  // namespace weft::formats
