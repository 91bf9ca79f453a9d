// Sanitizes an answer for a model: removes misleading characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::mcp {

// Removes control characters (newlines and tabs stay), terminal escapes, bidi controls, tags and
// other characters without width.
std::string cleaned(std::string_view text);
// The same for every text in it, names of members included.
void clean(json::value& value);

}  // namespace weft::mcp
