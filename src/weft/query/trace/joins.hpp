// Joins between conversations: from a subagent to the call that spawned it, and from the result of
// a call to the subagent's answer. An edge counts if the creator of the conversation that it is
// about made it (thought/structure.hpp).
#pragma once

#include <optional>
#include <vector>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/library.hpp"

namespace weft::query {

// The conversations that hold a block; the owner's alone, if there are any.
Result<std::vector<store::ConversationRow>> holders_of(const Library& library, const Cid& block,
                                                       Foreigners& foreigners);

// The ends of the edges at a block that the creators of its conversations made, as woven.
Result<std::vector<Cid>> held_neighbours(const Library& library, const Cid& block,
                                         std::string_view relation, store::Direction direction,
                                         Foreigners& foreigners);

// The calls that spawned the conversations of a block.
Result<std::vector<Cid>> calls_behind(const Library& library, const Cid& block,
                                      Foreigners& foreigners);

// The first blocks of the conversations that a call spawned: those without a cause, from which
// `calls_behind` leads to the call.
Result<std::vector<Cid>> blocks_spawned(const Library& library, const Cid& call,
                                        Foreigners& foreigners);

// The answer of a subagent that a tool result, or the notification of its end, returned: the newest
// of those with a `returns` edge to it. Empty if there is none.
Result<std::optional<Cid>> find_returned(const Library& library, const Cid& result,
                                         Foreigners& foreigners);

// The results that returned an answer of a subagent: those whose `find_returned` is that answer.
Result<std::vector<Cid>> results_of(const Library& library, const Cid& answer,
                                    Foreigners& foreigners);

}  // namespace weft::query
