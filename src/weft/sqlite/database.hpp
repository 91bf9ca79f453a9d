// A connection to SQLite, with its statements kept ready, and transactions that end
// themselves.
//
//   Rows rows = database.query("SELECT cid FROM names WHERE id = ?", id);
//   while (rows.next()) use(rows.bytes(0));
//   if (Status status = rows.status(); !status) return fail(std::move(status).error());
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "weft/base/result.hpp"
#include "weft/sqlite/statement.hpp"

namespace weft::sqlite {

// How long a writer waits for another process before it fails as unavailable. Callers do not retry,
// so this is the whole wait.
inline constexpr int kBusyTimeoutMs = 30'000;
// How long it waits before it calls OnWait.
inline constexpr int kWaitNoticeMs = 2'000;
// Called once in each wait for another process. Must not throw.
using OnWait = std::function<void()>;

// SQL that is part of the program. Statements are kept by its address.
struct Sql {
  const char* text;
  consteval Sql(const char* literal) : text(literal) {}  // implicit: it reads as SQL
};

// Configures SQLite for this process, once. Everything that opens a database calls it first.
void prepare_library();

// `immutable` reads a file that nobody can change: without locks, and without its write-ahead log.
enum class Mode { read_only, read_write, immutable };

// One connection. For one thread at a time.
class Database {
 public:
  // The file exists. denied, corrupt, unavailable.
  static Result<Database> open(const std::string& path, Mode mode, OnWait on_wait = {});

  // The rows of `sql` with its parameters bound in order. One statement serves one loop
  // at a time: while its rows are read, the same text must not be queried again.
  template <class... Args>
  Rows query(Sql sql, const Args&... args) const {
    return statement(sql).query(args...);
  }
  // For statements without rows.
  template <class... Args>
  Status run(Sql sql, const Args&... args) const {
    return statement(sql).run(args...);
  }

  // Statements without parameters, one after another.
  Status script(const char* sql) const;
  // `PRAGMA name`, where it is a number.
  Result<std::int64_t> pragma(const char* name) const;

  // How many rows the last statement changed.
  std::int64_t changes() const;

  sqlite3* handle() const { return handle_.get(); }

 private:
  Statement& statement(Sql sql) const {
    return statements_.try_emplace(sql.text, handle_.get(), sql.text).first->second;
  }

  struct Close {
    void operator()(sqlite3* handle) const;
  };
  // A wait for another process.
  struct Wait {
    OnWait on_wait;
    std::chrono::steady_clock::time_point began{};
    bool noticed = false;
  };
  static int wait_for_others(void* wait, int attempts);

  std::unique_ptr<Wait> wait_;  // outlives the handle, which calls it
  std::unique_ptr<sqlite3, Close> handle_;
  mutable std::unordered_map<const void*, Statement> statements_;  // die before their handle
};

// What it changed is undone unless commit() was called and succeeded.
class Transaction {
 public:
  // `immediate` takes the write lock at once, so that nothing read in it is stale when
  // it is written back. A deferred one pins what its reads see; begun inside another one it is
  // part of that.
  enum class Kind { deferred, immediate };
  static Result<Transaction> begin(const Database& database, Kind kind);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status commit();

 private:
  explicit Transaction(const Database* database) : database_(database) {}
  const Database* database_;  // null once it has ended, and where another one ends it
};

}  // namespace weft::sqlite
