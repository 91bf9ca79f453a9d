// Checkpoint: the owner's signed statement for one commit to a conversation. It covers the
// structure that the commit added and all blocks so far.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kCheckpointType = "checkpoint";

struct Checkpoint {
  Cid conversation;
  std::optional<Cid> previous{};
  std::uint64_t leaves = 0;  // of its tree
  Digest root{};
  std::uint64_t blocks = 0;  // places of the conversation so far
  Digest head{};             // their running hash, in the order woven
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

json::object to_content(const Checkpoint& checkpoint);
// invalid_input if `thought` is not a checkpoint, or has missing or extra members.
Result<Checkpoint> to_checkpoint(const Thought& thought);

}  // namespace weft::thought
