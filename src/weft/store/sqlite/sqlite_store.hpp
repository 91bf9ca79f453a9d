// SqliteStore: a store in one SQLite file.
#pragma once

#include <memory>
#include <string>

#include "weft/store/open.hpp"

namespace weft::store::sql {

// `path` is the database file. Both fail as open_store() and open_store_to_read() do.
Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, Create create,
                                                 OnWait on_wait);
Result<std::unique_ptr<Store>> open_sqlite_store_to_read(const std::string& path);

}  // namespace weft::store::sql
