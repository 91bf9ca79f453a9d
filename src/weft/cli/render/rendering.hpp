// Forms that several commands print.
#pragma once

#include <string>

#include "weft/cli/app/command.hpp"
#include "weft/cli/app/context.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {

// Closes a document whose list was being told when `outcome` came. An error after the
// first element stands beside the list, under "error": there is only one document.
Answer closed(ListDocument& document, const Status& outcome, json::object back);

// What a thought rests on, breadth first: a tree for people, a document with --json.
Answer print_why(const Context& context, const query::Library& library, const Cid& cid,
                 const query::WhyOptions& options, json::object front = {});

// "2026-10-01" and the like for an option's value: what is wrong with it, or nothing.
std::string check_time(const std::string& text);

}  // namespace weft::cli
