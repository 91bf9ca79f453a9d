#include "weft/sqlite/database.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/sqlite/checked_open.hpp"
#include "weft/sqlite/error.hpp"
#include "weft/sqlite/memory_limit.hpp"

namespace weft::sqlite {
namespace {

// A wait for another process.
struct Wait {
  OnWait on_wait;
  std::chrono::steady_clock::time_point began{};
  bool noticed = false;
};

class FileConnection final : public sql::Connection {
 public:
  explicit FileConnection(sqlite3* handle) : handle_(handle) {}

  sqlite3* handle() const { return handle_.get(); }
  void wait_for_others(OnWait on_wait);

  Statement& statement(sql::Sql sql) {
    return statements_.try_emplace(sql.text, handle_.get(), sql.text).first->second;
  }
  Rows query(sql::Sql sql, std::span<const sql::Value> values) override {
    return statement(sql).query_values(values);
  }
  Status run(sql::Sql sql, std::span<const sql::Value> values) override {
    return statement(sql).run_values(values);
  }
  Status script(const char* sql) override;
  std::int64_t changes() override { return sqlite3_changes64(handle_.get()); }

  bool is_in_transaction() const override { return sqlite3_get_autocommit(handle_.get()) == 0; }
  Status begin(sql::TransactionKind kind) override {
    return kind == sql::TransactionKind::immediate ? run("BEGIN IMMEDIATE", {}) : run("BEGIN", {});
  }
  Status commit() override { return script("COMMIT"); }
  // After some failures (a full disk) SQLite has rolled back already; again does no harm.
  void roll_back() override { std::ignore = run("ROLLBACK", {}); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  static int wait_longer(void* wait, int attempts);

  Wait wait_;  // outlives the handle, which calls with it
  std::unique_ptr<sqlite3, Close> handle_;
  std::unordered_map<const void*, Statement> statements_;  // die before their handle
};

FileConnection& connection_of(const sql::Database& database) {
  return dynamic_cast<FileConnection&>(database.connection());
}

}  // namespace

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
int FileConnection::wait_longer(void* wait, int attempts) {
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

void FileConnection::wait_for_others(OnWait on_wait) {
  wait_.on_wait = std::move(on_wait);
  sqlite3_busy_handler(handle_.get(), wait_longer, &wait_);
}

Status FileConnection::script(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(to_error(code));
  return {};
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

Result<sql::Database> open_database(const std::string& path, Mode mode, OnWait on_wait) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
              (mode == Mode::read_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  if (mode == Mode::immutable) flags |= SQLITE_OPEN_URI;
  prepare_library();
  sqlite3* handle = nullptr;
  const std::string name = mode == Mode::immutable ? immutable_uri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  auto connection = std::make_unique<FileConnection>(handle);
  if (code != SQLITE_OK) return fail(to_error(code, "opening the store " + path));
  connection->wait_for_others(std::move(on_wait));
  // A damaged or hostile file must not make SQLite run what it holds.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return sql::Database(std::move(connection));
}

sqlite3* handle_of(const sql::Database& database) { return connection_of(database).handle(); }

Statement& statement_of(const sql::Database& database, sql::Sql sql) {
  return connection_of(database).statement(sql);
}

Result<std::int64_t> read_pragma(const sql::Database& database, const char* name) {
  const std::string sql = "PRAGMA " + std::string(name);
  Statement statement(handle_of(database), sql.c_str());
  Rows rows = statement.query();
  const std::int64_t value = rows.next() ? rows.integer(0) : 0;
  WEFT_TRY(rows.status());
  return value;
}

}  // namespace weft::sqlite
