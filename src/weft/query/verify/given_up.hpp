// Finds the checkpoints that were given up when two chains of one conversation were joined
// (thought/statements/joining.hpp): nothing is looked for under them.
#pragma once

#include <map>
#include <set>

#include "weft/store/store.hpp"

namespace weft::query {

// Of `checkpoints`, by CID, those that a joining by the creator of their conversation lists, and
// that the newest checkpoint of the conversation does not follow. Reads only where two of them
// follow the same one. Whether a joining is well signed is checked with the other thoughts.
Result<std::set<Cid>> find_given_up(const store::Store& store,
                                    const std::map<Cid, thought::Thought>& checkpoints);

}  // namespace weft::query
