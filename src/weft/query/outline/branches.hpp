// Branches: selects the turns of one branch of a conversation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/base/time.hpp"

namespace weft::query {

// A turn, as far as branches depend on it.
struct BranchTurn {
  std::optional<std::size_t> parent{};  // its number among the turns; empty if it is none of them
  bool names_parent = false;
  bool is_root = false;  // its first block has no cause. Only asked for if it names no parent
  std::uint64_t sequence = 0;
  Millis created_at = 0;
};

// For each turn, whether it is in the branch that ends at `leaf`; by default in the main one, which
// ends at the newest leaf. All are, if the conversation has no branches. `turns` are in the order
// of their sequence. In many formats only the turn that begins a branch names its parent, and each
// other one follows the one before it, unless it is a root.
std::vector<bool> in_branch(std::vector<BranchTurn> turns, std::optional<std::size_t> leaf);

}  // namespace weft::query
