// Sanitizes an answer for a model: removes misleading characters, and cuts texts to a maximum size.
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

// Cuts texts in `value`, the longest first and all to one length, until its JSON has at most `most`
// bytes, as far as cutting texts can do that. Each cut text notes how much is missing. CIDs,
// signatures and other short texts stay whole. True if anything was cut.
bool fit(json::object& value, std::size_t most);

// Cut to at most `most` bytes between characters, with a note at the end.
std::string fitted(std::string_view text, std::size_t most);

}  // namespace weft::mcp
