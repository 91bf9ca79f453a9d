// The edits of a tool call that is stored as thoughts.
#pragma once

#include <string>
#include <vector>

#include "weft/edits/edit.hpp"

namespace weft::query {

// `request` is the opened content of a tool_request, `result` that of its tool_result or null: then
// it is not known whether the edits were made. Empty if the call failed, edits nothing, or is
// sealed.
std::vector<edits::Edit> edits_in(const json::object& request, const json::object* result);

// The paths of these edits, each once, in their order: the number of a path there names a file of
// the call.
std::vector<std::string> paths_of(const std::vector<edits::Edit>& edits);

}  // namespace weft::query
