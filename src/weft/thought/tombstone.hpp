// Tombstone: the owner's signed statement that conversations were forgotten. It lists them and the
// removed thoughts that are still referred to, so that these are not reported as missing; it
// reveals nothing of their content. It belongs to no conversation.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kTombstoneType = "tombstone";

struct Tombstone {
  std::vector<Cid> conversations{};  // one or more; sorted, as the next are
  // Removed thoughts that are still referred to.
  std::vector<Cid> forgotten{};
  std::uint64_t thoughts = 0;  // number removed, connections included
  friend bool operator==(const Tombstone&, const Tombstone&) = default;

  // Whether it lists this thought or conversation.
  bool lists(const Cid& cid) const;
};

json::object to_content(const Tombstone& tombstone);
// invalid_input if `thought` is not a tombstone, has missing or extra members, or its lists
// are not sorted.
Result<Tombstone> to_tombstone(const Thought& thought);

}  // namespace weft::thought
