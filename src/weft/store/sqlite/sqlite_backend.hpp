// A connection to a store in SQLite, with what SQLite keeps and does in its own way.
#pragma once

#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// Precondition: install_tables() was called (schema.hpp).
Database to_store(PlainDatabase connection);

}  // namespace weft::store::sql
