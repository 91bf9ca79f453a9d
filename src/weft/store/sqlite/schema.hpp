// Schema: creates the tables of a store, migrates them from version to version, and opens
// connections. docs/formats/store.md describes every column.
#pragma once

#include <span>
#include <string>

#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// Makes a connection ready for the tables of a store: what SQLite does not know by itself, and no
// triggers, which are there to stop older versions of weft.
Status install_tables(const PlainDatabase& database);

// That the store still has the version that this weft knows. Called in every transaction that
// writes. invalid_input if a newer weft has upgraded it meanwhile.
Status check_current(const PlainDatabase& database);

inline constexpr std::int64_t kApplicationId = 0x77656674;  // "weft"

// A migration from one version to the next: SQL, then code for what SQL cannot do. It loses
// nothing.
struct Migration {
  const char* sql;
  Status (*then)(const PlainDatabase& database) = nullptr;
};
// Element n migrates version n to n + 1.
std::span<const Migration> migrations();

// Brings an open store from its version to that of the last step, all or nothing; marks a new file
// as a store. corrupt if it is somebody else's file, invalid_input if it is newer than `steps`.
Status migrate(const PlainDatabase& database, std::span<const Migration> steps);

// The oldest version that is read as it is.
inline constexpr std::int64_t kOldestReadVersion = 8;

// The store at `path`, ready to write to, at the newest version. See open_store.
Result<PlainDatabase> open_store_file(const std::string& path, Create create,
                                      sqlite::OnWait on_wait = {});

// The store at `path`, for reading: it is neither migrated nor changed in any other way. See
// open_store_to_read.
Result<PlainDatabase> open_store_file_to_read(const std::string& path);

// Opens another connection to a store that is open already.
Result<PlainDatabase> open_reader(const std::string& path);

// The version of the store at `path`. not_found if there is none, or an empty file; corrupt if the
// file is not a store.
Result<std::int64_t> read_version(const std::string& path);
// The same of an open database.
Result<std::int64_t> version_of(const PlainDatabase& database);

}  // namespace weft::store::sql
