// Joining: the creator's signed statement that two chains of checkpoints of one conversation became
// one. Two machines with one keyring had woven the same session, each on its own. It names the
// chain that stays and the checkpoints that were given up, so that these are not looked for.
#pragma once

#include <vector>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kJoiningType = "joining";

struct Joining {
  Cid conversation;             // also its `because`
  Cid kept;                     // the newest checkpoint of the chain that stays
  std::vector<Cid> given_up{};  // those of the other chain that `kept` does not follow; newest last
  friend bool operator==(const Joining&, const Joining&) = default;

  bool gives_up(const Cid& checkpoint) const;
};

// invalid_input if `thought` is not a joining, or has missing or extra members.
Result<Joining> to_joining(const Thought& thought);
// Not signed yet.
Thought make_joining(const Joining& joining, const Cid& creator, Millis at);

}  // namespace weft::thought
