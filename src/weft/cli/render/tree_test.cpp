#include "weft/cli/render/tree.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

std::string drawn(const Tree& tree, const TreeStyle& style = {}) {
  std::string out;
  const NodeLine line = [](std::size_t node, std::size_t columns) {
    std::string letter(1, static_cast<char>('a' + node));
    return columns < 100 ? letter + " " + std::to_string(columns) : letter;
  };
  draw_tree(tree, style, line, [&](std::string_view text) { out += text; });
  return out;
}

TEST(Tree, DrawsBranchesUnderTheirParent) {
  EXPECT_EQ(drawn({{1, 2}, {3}, {4}, {}, {}}),
            "a\n"
            "├─ b\n"
            "│  └─ d\n"
            "└─ c\n"
            "   └─ e\n");
}

TEST(Tree, SaysNothingOfNothing) { EXPECT_EQ(drawn({}), ""); }

TEST(Tree, GoesOnBelowWhereItWouldLeaveThePage) {
  EXPECT_EQ(drawn({{1}, {2, 3}, {}, {4}, {}}, {.max_levels = 1}),
            "a\n"
            "└─ b  ⋯ continued below\n"
            "\n"
            "b\n"
            "├─ c\n"
            "└─ d  ⋯ continued below\n"
            "\n"
            "d\n"
            "└─ e\n");
}

TEST(Tree, TellsEachLineHowMuchRoomItHas) {
  EXPECT_EQ(drawn({{1}, {}}, {.width = 30}), "a 30\n└─ b 27\n");
}

TEST(Tree, DrawsAChainOfAHundredThousandInAPageOfOrdinaryWidth) {
  Tree chain(100'000);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) chain[i] = {i + 1};
  std::size_t lines = 0, widest = 0;
  draw_tree(
      chain, {.max_levels = 10}, [](std::size_t, std::size_t) { return "x"; },
      [&](std::string_view line) {
        ++lines;
        widest = std::max(widest, line.size());
      });
  EXPECT_GT(lines, 100'000u);
  EXPECT_LT(lines, 130'000u);
  EXPECT_LT(widest, 100u);
}

}  // namespace
}  // namespace weft::cli
