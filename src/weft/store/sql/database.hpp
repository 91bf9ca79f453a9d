// The database under a store, as readers and writers see it: connections, statements, rows,
// transactions.
#pragma once

#include "weft/sqlite/database.hpp"

namespace weft::store::sql {

using sqlite::Blob;
using sqlite::blob;
using sqlite::Database;
using sqlite::Rows;
using sqlite::Sql;
using sqlite::Transaction;

}  // namespace weft::store::sql
