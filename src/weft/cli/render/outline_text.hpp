// Prints outlines of conversations for people.
#pragma once

#include <string>

#include "weft/base/json.hpp"
#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

// The answer of query::outline as a table, one row for each block: its ordinal, turn, time, kind,
// length, duration and tool, its flags, and the ordinals of its causes.
std::string outline_text(const json::object& outline, const Style& style);

}  // namespace weft::cli
