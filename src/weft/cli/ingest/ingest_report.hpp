// Formats the report of an ingest for people.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

// Formats an answer of query::ingest_report for people; safe for a terminal. `when_empty` is the
// text if no conversation was found.
std::string to_summary(const json::object& answer, std::string_view when_empty, const Style& style);

}  // namespace weft::cli
