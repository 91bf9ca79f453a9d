// Output shared by several commands.
#pragma once

#include <limits>
#include <string>

#include "weft/base/typed/moment.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/context.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {

// Closes a document after its list ended with `outcome`. An error after the first element is
// printed beside the list, under "error": there is only one document.
Answer closed(ListDocument& document, const Status& outcome, json::object back);

// Prints the causes or the effects of a thought, breadth first: a tree for people, folded to
// `rows`; a document that begins with `front` with --json.
enum class Traced { causes, effects };
Answer print_trace(const Context& context, const query::Library& library, const Cid& cid,
                   Traced traced, const query::TraceOptions& options, json::object front = {},
                   std::size_t rows = std::numeric_limits<std::size_t>::max());
// As many rows as a screen has left for a tree. A pipe gets all: who reads it wants no summary.
std::size_t rows_for_trace(const Context& context);

// Checks the value of a time option ("2026-10-01", "2w"): what is wrong with it, or nothing.
std::string check_time(const std::string& text);

// Where a thought stands, on stderr, for people: its turn, session and project.
void print_standing(const Context& context, const json::object& standing);

// The `notes` of an answer, and how far its tables are, on stderr.
void print_notes(const Context& context, const json::object& answer);

}  // namespace weft::cli
