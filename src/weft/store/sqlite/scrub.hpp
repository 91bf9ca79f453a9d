// Making sure that what was deleted is not in the store's files any more.
#pragma once

#include <string>

#include "weft/base/result.hpp"

namespace weft::store::sql {

// Writes the store at `path` anew, without what was forgotten, and empties its log. True if
// that is done, or there was nothing to do; false if readers of an older state were in the way
// for too long. Others may read and wait to write meanwhile. unavailable on a full disk.
Result<bool> scrub(const std::string& path);

}  // namespace weft::store::sql
