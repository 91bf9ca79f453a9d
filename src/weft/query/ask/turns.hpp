// Reads the turns of a conversation and the blocks of a turn, in order. Only what the
// conversation's creator made counts (thought/structure.hpp); what others say about it is read
// apart.
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
  bool foreign = false;  // somebody else put it into the conversation
};

// In the order of their sequence.
Result<std::vector<TurnView>> turns_of(const Library& library,
                                       const store::ConversationRow& conversation);
// Those that others put into the conversation, in the order of their sequence.
Result<std::vector<TurnView>> foreign_turns_of(const Library& library,
                                               const store::ConversationRow& conversation);

// The turns of the branch that ends at `leaf`; by default the main one, which ends at the newest
// leaf. All turns if the conversation has no branches.
Result<std::vector<TurnView>> branch_of(const Library& library, std::vector<TurnView> turns,
                                        const std::optional<std::string>& leaf);

// The error for a `leaf` that is no turn of the conversation.
std::unexpected<Error> no_turn(std::string_view leaf);

// The thought that stands for this one, if it was sealed (Thoughts::sealed_as) and is gone; else
// the thought itself.
Result<Cid> standing_for(const Library& library, const Cid& cid);

// The blocks of a turn by position, sealed ones in the places of those that they stand for, without
// superseded ones unless they are wanted.
enum class Superseded { no, yes };
Result<std::vector<Cid>> blocks_of(const Library& library, const thought::Thought& turn,
                                   Superseded superseded = Superseded::no);

// The ends of edges to or from a thought that others than `creator` made.
Result<std::vector<Cid>> foreign_neighbours(const Library& library, const Cid& creator,
                                            const Cid& cid, std::string_view relation,
                                            store::Direction direction);

}  // namespace weft::query
