// What an ingest took in, for people.
#pragma once

#include <string>

#include "weft/base/json.hpp"
#include "weft/cli/terminal.hpp"

namespace weft::cli {

// The answer of query::taken, for people; safe for a terminal.
std::string to_summary(const json::object& answer, const Style& style);

}  // namespace weft::cli
