// Renders the report of an ingest (ingest/report_json.hpp) for people.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

// `answer` is what ingest::to_json returned. The text is safe for a terminal. `when_empty` is the
// text for an ingest that met no conversation.
// `verbose` lists the records that formats always leave out by their reasons.
std::string to_summary(const json::object& answer, std::string_view when_empty, const Style& style,
                       bool verbose);

}  // namespace weft::cli
