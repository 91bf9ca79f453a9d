// scrub(): removes the traces of deleted rows from the files of a store.
#pragma once

#include <string>

#include "weft/base/result.hpp"

namespace weft::store::sql {

// Rewrites the store at `path` without forgotten bytes, and empties its log. True if that is done,
// or nothing was to be done; false if readers of an older state prevented it for too long. Others
// may read meanwhile, and wait to write. unavailable on a full disk.
Result<bool> scrub(const std::string& path);

}  // namespace weft::store::sql
