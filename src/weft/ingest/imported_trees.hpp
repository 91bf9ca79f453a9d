// Finds the imported conversations of which not everything came that their checkpoints cover.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weft/store/import/outlines.hpp"

namespace weft::ingest {

// A conversation whose checkpoints cover more than was imported.
struct IncompleteConversation {
  Cid cid;
  std::uint64_t missing = 0;       // leaves
  std::vector<Cid> checkpoints{};  // that cover them
};

// Looks at checkpoints of version 2, in conversations that have turns here: others are only pointed
// at, and their trees are not asked for. `is_whole` tells whether the store has all leaves of a
// checkpoint. In the order of the conversations' CIDs.
// Precondition: signatures hold, and so does the path of each first cover.
std::vector<IncompleteConversation> find_incomplete(
    const store::Outlines& outlines, const std::function<bool(const Cid& checkpoint)>& is_whole);

}  // namespace weft::ingest
