#include "weft/cli/render/line_diff.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

TEST(LineDiff, ShowsWhatGoesAndWhatComesWithALittleAround) {
  EXPECT_EQ(line_diff("a\nb\nc\n", "a\nx\nc\n"), "  a\n- b\n+ x\n  c\n");
  EXPECT_EQ(line_diff("", "a\nb\n"), "+ a\n+ b\n");
  EXPECT_EQ(line_diff("a\n", ""), "- a\n");
  EXPECT_EQ(line_diff("a\nb\n", "a\nb\n"), "");
}

TEST(LineDiff, LeavesOutWhatIsFarFromAnyChange) {
  EXPECT_EQ(line_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nnew\n5\n6\n7\n8\n"),
            "  …\n  2\n  3\n  4\n+ new\n  5\n  6\n  7\n  …\n");
}

}  // namespace
}  // namespace weft::cli
