// `connections`, as SQL sees them: a table that lies in pages (edges.hpp).
//
//   id, relation, from_id, to_id, label, position, created_by, created_at, signature
//
// Rows come in the order of their ids, either way; they are found quickly by id, by a range of ids,
// by from_id or by to_id. They can be changed and deleted, but keep their ids.
#pragma once

#include "weft/base/result.hpp"

struct sqlite3;

namespace weft::store::sql {

// For once on each connection. A database that has a table of this name, as stores before version
// 8 had, shows that one.
Status install_edges(sqlite3* database);

}  // namespace weft::store::sql
