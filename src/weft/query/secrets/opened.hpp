// Thoughts as answers show them: layers opened as far as the keyring reaches, secrets masked if the
// library has a mask.
#pragma once

#include "weft/query/library.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {

// The thought, as thought::to_open_json(); `masked` is how many secrets its content had.
json::object open_json(const Library& library, const thought::Thought& thought);
// Its content, as thought::open_content().
json::object open_content(const Library& library, const thought::Thought& thought);

}  // namespace weft::query
