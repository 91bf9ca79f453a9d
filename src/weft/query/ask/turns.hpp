// Reads the turns of a conversation and the blocks of a turn, in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::query {

struct TurnView {
  thought::Thought thought;
  std::string role;
  std::uint64_t sequence = 0;
  std::optional<Cid> parent;
};

// In the order of their sequence.
Result<std::vector<TurnView>> turns_of(const Library& library, const Cid& conversation);

// The turns of the branch that ends at `leaf`; by default the main one, which ends at the newest
// leaf. All turns if the conversation has no branches.
Result<std::vector<TurnView>> branch_of(const Library& library, std::vector<TurnView> turns,
                                        const std::optional<std::string>& leaf);

// The blocks of a turn by position; superseded ones only if `all`.
Result<std::vector<Cid>> blocks_of(const Library& library, const Cid& turn, bool all);

}  // namespace weft::query
