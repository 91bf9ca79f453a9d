#include "weft/base/typed/file_lines.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(FileLines, AreReadAsTyped) {
  EXPECT_EQ(parse_file_lines("src/a.cpp"), (FileLines{.file = "src/a.cpp"}));
  EXPECT_EQ(parse_file_lines("src/a.cpp:42"),
            (FileLines{.file = "src/a.cpp", .first = 42, .last = 42}));
  EXPECT_EQ(parse_file_lines("a:b:4-7"), (FileLines{.file = "a:b", .first = 4, .last = 7}));
}

TEST(FileLines, ThatEndInNoNumbersAreAFile) {
  for (const char* text : {"a:", "a:b", "a:4-", "a:-4", "a:4-7x", "a:+4", ":4", ""}) {
    EXPECT_EQ(parse_file_lines(text), (FileLines{.file = text})) << text;
  }
}

TEST(FileLines, ThatCannotBeAreNone) {
  EXPECT_EQ(parse_file_lines("a:0"), std::nullopt);
  EXPECT_EQ(parse_file_lines("a:7-4"), std::nullopt);
}

}  // namespace
}  // namespace weft
