#include "weft/query/outline/branches.hpp"

#include <algorithm>

namespace weft::query {

std::vector<bool> in_branch(std::vector<BranchTurn> turns, std::optional<std::size_t> leaf) {
  const bool has_branches = std::ranges::any_of(turns, &BranchTurn::names_parent);
  if (!has_branches) {
    // Each follows the one before it.
    std::vector<bool> is_in(turns.size(), true);
    for (std::size_t i = 0; leaf && i < turns.size(); ++i) {
      is_in[i] = turns[i].sequence <= turns[*leaf].sequence;
    }
    return is_in;
  }
  std::vector<bool> is_parent(turns.size(), false);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (i > 0 && !turns[i].names_parent && !turns[i].is_root) turns[i].parent = i - 1;
    if (turns[i].parent) is_parent[*turns[i].parent] = true;
  }
  std::optional<std::size_t> end = leaf;
  for (std::size_t i = 0; !leaf && i < turns.size(); ++i) {
    if (is_parent[i]) continue;
    if (!end || turns[i].created_at >= turns[*end].created_at) end = i;
  }
  // Each turn at most once: a cycle in a foreign web ends the walk.
  std::vector<bool> is_in(turns.size(), false);
  while (end && !is_in[*end]) {
    is_in[*end] = true;
    end = turns[*end].parent;
  }
  return is_in;
}

}  // namespace weft::query
