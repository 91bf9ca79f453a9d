// The difference of two small texts, for a person to look at before a file is written.
#pragma once

#include <string>
#include <string_view>

namespace weft::cli {

// Line by line, those that go with "- " in front, those that come with "+ ", and a few around
// them; empty if nothing changes.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace weft::cli
