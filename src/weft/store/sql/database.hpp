// The database under a store, as readers and writers see it: connections, statements, rows,
// transactions.
#pragma once

#include "weft/sql/database.hpp"

namespace weft::store::sql {

using ::weft::sql::Blob;
using ::weft::sql::blob;
using ::weft::sql::Database;
using ::weft::sql::Rows;
using ::weft::sql::Sql;
using ::weft::sql::Transaction;

}  // namespace weft::store::sql
