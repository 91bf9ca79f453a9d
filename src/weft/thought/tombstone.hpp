// Tombstone: the owner's signed statement that conversations were forgotten, or that thoughts were
// sealed. It lists what was removed and is still referred to, so that this is not reported as
// missing; it reveals nothing of the content. It belongs to no conversation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kTombstoneType = "tombstone";

struct Tombstone {
  std::vector<Cid> conversations{};  // sorted, as the next are; one or more, but of sealed thoughts
  // Removed thoughts that are still referred to.
  std::vector<Cid> forgotten{};
  std::uint64_t thoughts = 0;  // number removed, connections included
  // Of version 2, which is for sealed thoughts: for each of `forgotten` the thought that says the
  // same under a seal. Empty in version 1.
  std::vector<Cid> sealed_as{};
  friend bool operator==(const Tombstone&, const Tombstone&) = default;

  // Whether it lists this thought or conversation.
  bool lists(const Cid& cid) const;
  // The thought that this one was sealed as; empty if it was not sealed.
  std::optional<Cid> find_sealed(const Cid& clear) const;
};

json::object to_content(const Tombstone& tombstone);
// invalid_input if `thought` is not a tombstone, has missing or extra members, or its lists
// are not sorted. A version above 2 is that of a newer weft, and such a tombstone means nothing
// here.
Result<Tombstone> to_tombstone(const Thought& thought);

// In an export, a leaf of a checkpoint's tree whose thought was sealed is a line of its own, {cid,
// covered, again?}. It is read as a Thought with its CID and `covered`, and without a type.
inline bool is_gone(const Thought& thought) { return thought.type.empty(); }
// Reads what to_json() writes, of a thought or of such a leaf. invalid_input as parse_thought(),
// which reads thoughts alone.
Result<Thought> parse_exported(const json::value& value);

}  // namespace weft::thought
