// What an ingest took in, for people.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

// The answer of query::taken, for people; safe for a terminal. `when_empty`: what is said where no
// conversation was met.
std::string to_summary(const json::object& answer, std::string_view when_empty, const Style& style);

}  // namespace weft::cli
