// Writes JSON on one line, for pipes and for JSON-lines files.
#pragma once

#include <string>

#include "weft/base/json.hpp"

namespace weft {

// In the order of the value, without blanks and without a line end. Strings and numbers are
// written as in the canonical form.
void append_compact(std::string& out, const json::value& value);

}  // namespace weft
