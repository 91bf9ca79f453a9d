#include "weft/sqlite/database.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/sqlite/checked_open.hpp"
#include "weft/sqlite/error.hpp"
#include "weft/sqlite/memory_limit.hpp"

namespace weft::sqlite {

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

// SQLite counts every allocation under one lock, for statistics that we never ask for:
// 8 % of a commit, and readers and writers wait for each other. Says no, harmlessly, if
// SQLite is in use already.
static void leave_out_statistics() { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

void prepare_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    leave_out_statistics();
    install_memory_limit();
    sqlite3_initialize();
    wrap_open();
  });
}

// SQLite's busy handler: 0 gives up.
int Database::wait_for_others(void* wait, int attempts) {
  using std::chrono::milliseconds;
  constexpr milliseconds kLongestPause{25};
  auto& waiting = *static_cast<Wait*>(wait);
  const auto now = std::chrono::steady_clock::now();
  if (attempts == 0) {
    waiting.began = now;
    waiting.noticed = false;
  }
  const auto waited = now - waiting.began;
  if (waited >= milliseconds(kBusyTimeoutMs)) return 0;
  if (!waiting.noticed && waiting.on_wait && waited >= milliseconds(kWaitNoticeMs)) {
    waiting.noticed = true;
    waiting.on_wait();
  }
  std::this_thread::sleep_for(std::min(milliseconds(1 + attempts), kLongestPause));
  return 1;
}

// The URI of a file, with what would have a meaning in it escaped.
static std::string immutable_uri(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "file:";
  for (const char c : path) {
    if (c == '%') uri += "%25";
    else if (c == '?') uri += "%3f";
    else if (c == '#') uri += "%23";
    else uri += c;
  }
  return uri + "?immutable=1";
}

Result<Database> Database::open(const std::string& path, Mode mode, OnWait on_wait) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
              (mode == Mode::read_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  if (mode == Mode::immutable) flags |= SQLITE_OPEN_URI;
  prepare_library();
  Database database;
  sqlite3* handle = nullptr;
  const std::string name = mode == Mode::immutable ? immutable_uri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  database.handle_.reset(handle);
  if (code != SQLITE_OK) return fail(to_error(code, "opening the store " + path));
  database.wait_ = std::make_unique<Wait>(Wait{.on_wait = std::move(on_wait)});
  sqlite3_busy_handler(handle, wait_for_others, database.wait_.get());
  // A damaged or hostile file must not make SQLite run what it holds.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

Status Database::script(const char* sql) const {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(to_error(code));
  return {};
}

Result<std::int64_t> Database::pragma(const char* name) const {
  const std::string sql = "PRAGMA " + std::string(name);
  Statement statement(handle_.get(), sql.c_str());
  Rows rows = statement.query();
  const std::int64_t value = rows.next() ? rows.integer(0) : 0;
  WEFT_TRY(rows.status());
  return value;
}

std::int64_t Database::changes() const { return sqlite3_changes64(handle_.get()); }

Result<Transaction> Transaction::begin(const Database& database, Kind kind) {
  const bool is_inside = sqlite3_get_autocommit(database.handle()) == 0;
  if (is_inside && kind == Kind::deferred) return Transaction(nullptr);
  WEFT_TRY(kind == Kind::immediate ? database.run("BEGIN IMMEDIATE") : database.run("BEGIN"));
  return Transaction(&database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  // After some failures (a full disk) SQLite has rolled back already; again does no harm.
  if (database_ != nullptr) std::ignore = database_->run("ROLLBACK");
}

Status Transaction::commit() {
  Status status = database_->script("COMMIT");
  if (status) database_ = nullptr;
  return status;
}

}  // namespace weft::sqlite
