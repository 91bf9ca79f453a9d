// The virtual table `connections`: edge pages (edges.hpp) as rows for SQL.
//
//   id, relation, from_id, to_id, label, position, created_by, created_at, signature
//
// Rows are in the order of their ids, in either direction. Looking up an id, a range of ids, a
// from_id or a to_id is fast. Rows can be changed and deleted, but keep their ids.
#pragma once

#include "weft/base/result.hpp"

struct sqlite3;

namespace weft::store::sql {

// Call it once on each connection. A database with a real table of this name, as in stores before
// version 8, keeps that one.
Status install_edges(sqlite3* database);

}  // namespace weft::store::sql
