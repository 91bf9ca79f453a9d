// Statements: the tombstones of another web that count here.
#pragma once

#include <map>
#include <vector>

#include "weft/remote/remote.hpp"

namespace weft::remote {

// By conversation, the well signed statements that list it.
using Statements = std::multimap<Cid, const Forgotten*>;

// Of those whose CID and signature hold. Borrows from `all`.
Statements sort_statements(const std::vector<Forgotten>& all);

// The statement by this identity about this conversation; null if there is none. Only the creator
// of a conversation can have it forgotten elsewhere.
const Forgotten* find_statement(const Statements& statements, const Cid& conversation,
                                const Cid& creator);

}  // namespace weft::remote
