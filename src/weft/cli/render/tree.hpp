// Draws a tree with lines:
//
//   response
//   ├─ thinking
//   └─ human_input
//      └─ response
//
// A branch that grows too deep for the page is cut, and drawn again as a tree of its own below, so
// that a chain of 100,000 fits the page.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::cli {

// The children of each node by number, in the order they are drawn. Node 0 is the root;
// each node has at most one parent.
using Tree = std::vector<std::vector<std::size_t>>;

struct TreeStyle {
  std::size_t max_levels = 12;  // deeper nodes are continued below
  std::size_t width = static_cast<std::size_t>(-1);
  bool is_narrow = false;  // a node that is continued below is marked with a sign alone
};

// The text of a node, at most `columns` wide.
using NodeLine = std::function<std::string(std::size_t node, std::size_t columns)>;

void draw_tree(const Tree& tree, const TreeStyle& style, const NodeLine& line,
               const std::function<void(std::string_view)>& write);

}  // namespace weft::cli
