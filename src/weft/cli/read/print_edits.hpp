// Prints the edits of a tool call as a difference.
#pragma once

#include <string>

#include "weft/cli/read/edits.hpp"
#include "weft/cli/read/markdown.hpp"

namespace weft::cli {

// Long ones are folded unless `full`; the line that says so names the call, `cid`.
void print_edits(const Edits& edits, const Page& page, bool full, const std::string& cid,
                 const LineSink& print);

}  // namespace weft::cli
