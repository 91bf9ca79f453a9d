// Notes of answers that come from tables, for people, on stderr.
#pragma once

#include "weft/base/json.hpp"
#include "weft/cli/app/context.hpp"

namespace weft::cli {

// The `notes` of an answer, and how far its tables are filled, if not all of them are.
void print_table_notes(const Context& context, const json::object& answer);

}  // namespace weft::cli
