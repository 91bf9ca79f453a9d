// Looks up what was sealed (`weft seal`): which thought stands for one that is gone, and who holds
// it.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/names.hpp"

namespace weft::store::sql {

// The stored thought that a tombstone says stands for `clear`: a tombstone by the identity `by`, or
// by anybody. Whether `clear` is gone is not looked at.
Result<std::optional<Id>> find_sealed(const Database& database, const Words& words,
                                      const Cid& clear, std::optional<Id> by);

// Names without a row that a tombstone lists: what was sealed, or forgotten with a conversation.
Result<std::unordered_set<Id>> find_gone(const Database& database, const Words& words);

// The conversations that hold a thought or connection, whether or not it stands in a place there.
Result<std::vector<Id>> find_holders(const Database& database, Id thought);

}  // namespace weft::store::sql
