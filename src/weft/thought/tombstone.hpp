// A tombstone: the owner's word that conversations were forgotten. It says which, and names
// what is gone and still spoken of, so that nobody takes it for lost; it says nothing of what
// they held. It belongs to no conversation.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kTombstoneType = "tombstone";

struct Tombstone {
  std::vector<Cid> conversations{};  // one or more; sorted, as the next are
  // Of the thoughts that went with them, those that what remains still speaks of.
  std::vector<Cid> forgotten{};
  std::uint64_t thoughts = 0;  // how many went, connections included
  friend bool operator==(const Tombstone&, const Tombstone&) = default;

  // Whether it speaks for this thought, conversation or not.
  bool lists(const Cid& cid) const;
};

json::object to_content(const Tombstone& tombstone);
// invalid_input if `thought` is no tombstone, has a member too few or too many, or its lists
// are not sorted.
Result<Tombstone> to_tombstone(const Thought& thought);

}  // namespace weft::thought
