// Checkpoint: the owner's signed statement for one commit to a conversation. It covers everything
// that the commit carries, and all blocks so far.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kCheckpointType = "checkpoint";

// Version 1 covers only structure: turns, and connections other than `uses_input`. Version 2 covers
// every thought that the commit carries but the checkpoint itself, whether or not the store has it
// already: first those with signatures of their own, in the order of the commit, then structure.
inline constexpr std::uint64_t kCheckpointVersion = 2;

struct Checkpoint {
  Cid conversation;
  std::optional<Cid> previous{};
  std::uint64_t leaves = 0;  // of its tree
  Digest root{};
  std::uint64_t blocks = 0;  // places of the conversation so far
  Digest head{};             // their running hash, in the order woven
  std::uint64_t version = kCheckpointVersion;
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

json::object to_content(const Checkpoint& checkpoint);
// invalid_input if `thought` is not a checkpoint, has missing or extra members, or is of a newer
// version, which the message says.
Result<Checkpoint> to_checkpoint(const Thought& thought);
// Why this checkpoint cannot be read, if it was made by a newer weft; empty otherwise.
std::optional<Error> find_newer_version(const Thought& thought);

}  // namespace weft::thought
