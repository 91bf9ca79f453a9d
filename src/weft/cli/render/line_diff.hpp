// The difference of two texts, for a person to check before a file is written.
#pragma once

#include <string>
#include <string_view>

namespace weft::cli {

// Line by line, removed lines with "- " in front, added ones with "+ ", and a few lines of context;
// empty if nothing changes.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace weft::cli
