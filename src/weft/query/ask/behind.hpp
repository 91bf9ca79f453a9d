// Says in an answer what its figures lack: rows that had to be computed for it, because their table
// is not filled yet (store/tables/filling.hpp), and what is sealed.
#pragma once

#include "weft/base/json.hpp"
#include "weft/store/tables/tables.hpp"

namespace weft::query {

// Adds `behind: {done, all}`. Nothing if all rows were there, or if there are none.
void note_behind(json::object& answer, const store::RowsRead& rows);
// Adds a sentence to `notes` that the figures of this number of conversations are left out, because
// the keyring does not open them. Nothing for 0.
void note_sealed(json::object& answer, std::uint64_t conversations);

}  // namespace weft::query
