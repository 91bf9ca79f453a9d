// Pairs the blocks of a session that was just written with those that it was written from.
#pragma once

#include <vector>

#include "weft/base/cid.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::capture {

struct CopiedBlock {
  const transcript::Block* copy = nullptr;  // as the session's reader reads it
  Cid original;
};

// `cids` are those of the blocks of `original`, in order. In the order of `copy`; blocks that have
// no pair are left out. Points into `copy`.
std::vector<CopiedBlock> pair_copies(const transcript::Conversation& original,
                                     const std::vector<Cid>& cids,
                                     const transcript::Conversation& copy);

}  // namespace weft::capture
