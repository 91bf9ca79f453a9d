// Names of types in searches: which there are, and what a mistyped one was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/search/query.hpp"

namespace weft::query {

// What is wrong with a type or kind to search for: "no such type; did you mean response?", or all
// kinds if none is near. Empty if thoughts of that type are searched.
std::string fault_of_type(std::string_view type);

// Removes the types that are not searched from the filters, with a note for each.
void drop_unknown_types(search::Query& query);

}  // namespace weft::query
