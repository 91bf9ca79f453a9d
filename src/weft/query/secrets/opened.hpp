// Thoughts as answers show them: layers opened as far as the keyring reaches, secrets masked if the
// library has a mask.
#pragma once

#include "weft/query/library.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {

// The thought, as thought::to_open_json(). One in which something was masked says what, as a member
// beside its content: `masked`, the names of the rules. Its CID cannot be checked then.
json::object open_json(const Library& library, const thought::Thought& thought);
// Its content, as thought::open_content().
json::object open_content(const Library& library, const thought::Thought& thought);

}  // namespace weft::query
