// Says why a list of conversations is empty: which filter matches nothing, and what there is.
#pragma once

#include "weft/query/questions.hpp"

namespace weft::query {

// Sentences for people, for a list that these filters left empty. None if there are no
// conversations at all, or no filters. Reads the facts of every conversation.
Result<json::array> list_notes(const Library& library, const ListOptions& options);

}  // namespace weft::query
