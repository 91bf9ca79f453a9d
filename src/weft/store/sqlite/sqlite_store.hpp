// SqliteStore: a store in one SQLite file.
#pragma once

#include <memory>
#include <string>

#include "weft/store/open.hpp"

namespace weft::store::sql {

// `path` is the database file. Fails as open_store() does.
Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, Create create);

}  // namespace weft::store::sql
