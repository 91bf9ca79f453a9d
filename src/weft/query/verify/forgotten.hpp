// Forgotten: lists the tombstones of a store, each with what its signature is worth.
#pragma once

#include "weft/query/library.hpp"

namespace weft::query {

// {forgotten: [{cid, created_at, created_by, conversations: [cid], thoughts, verdict, reason?}]},
// newest first. `thoughts` counts what was removed. `verdict` is "valid", "foreign" or "bad", the
// last with a `reason`; without a keyring "consistent" instead of the first two.
Result<json::object> forgotten(const store::Store& store, const crypto::Keyring* keyring);

}  // namespace weft::query
