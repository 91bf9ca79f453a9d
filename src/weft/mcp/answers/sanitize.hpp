// Makes an answer fit for a model: without characters that mislead, and no longer than asked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::mcp {

// Without control characters (line ends and tabs stay), colours of terminals, bidi controls, tags
// and what else has no width.
std::string cleaned(std::string_view text);
// The same of every text in it, names of members too.
void clean(json::value& value);

// Cuts texts in `value`, the longest first and all to one length, until its JSON has at most
// `most` bytes, as far as cutting texts can do that. Each says in its place how much is missing.
// CIDs, signatures and other short texts stay whole. True if anything was cut.
bool fit(json::object& value, std::size_t most);

// Cut to at most `most` bytes between characters, and it says so at the end.
std::string fitted(std::string_view text, std::size_t most);

}  // namespace weft::mcp
