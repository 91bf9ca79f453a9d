// Opens SQLite databases: sql::Database on a file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/sql/database.hpp"
#include "weft/sqlite/statement.hpp"

namespace weft::sqlite {

// How long a writer waits for another process before it fails as unavailable. Callers do not retry,
// so this is the whole wait.
inline constexpr int kBusyTimeoutMs = 30'000;
// How long it waits before it calls OnWait.
inline constexpr int kWaitNoticeMs = 2'000;
// Called once in each wait for another process. Must not throw.
using OnWait = std::function<void()>;

// Configures SQLite for this process, once. Everything that opens a database calls it first.
void prepare_library();

// `immutable` reads a file that nobody can change: without locks, and without its write-ahead log.
enum class Mode { read_only, read_write, immutable };

// The file exists. denied, corrupt, unavailable.
Result<sql::Database> open_database(const std::string& path, Mode mode, OnWait on_wait = {});

// What only SQLite has. `database` was opened by open_database().
sqlite3* handle_of(const sql::Database& database);
// The statement that is kept for `sql`: for values that only SQLite binds.
Statement& statement_of(const sql::Database& database, sql::Sql sql);
// `PRAGMA name`, where it is a number.
Result<std::int64_t> read_pragma(const sql::Database& database, const char* name);

}  // namespace weft::sqlite
