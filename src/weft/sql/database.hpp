// A connection to a database, whichever it is, and transactions that end themselves.
//
//   Rows rows = database.query("SELECT cid FROM names WHERE id = ?", id);
//   while (rows.next()) use(rows.bytes(0));
//   if (Status status = rows.status(); !status) return fail(std::move(status).error());
//
// Statements are written once, in the dialect that SQLite and PostgreSQL share. Parameters are `?`,
// in order, or `?1`, `?2` to use one twice.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "weft/base/result.hpp"
#include "weft/sql/rows.hpp"
#include "weft/sql/value.hpp"

namespace weft::sql {

// SQL that is part of the program. Statements are prepared once and kept by its address.
struct Sql {
  const char* text;
  consteval Sql(const char* literal) : text(literal) {}  // implicit: it reads as SQL
};

enum class TransactionKind {
  deferred,   // for reading: everything in it is read from one state
  immediate,  // for writing: nothing read in it is stale when it is written back
};

// The interface that each database implements. Its users see Database.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual Rows query(Sql sql, std::span<const Value> values) = 0;
  virtual Status run(Sql sql, std::span<const Value> values) = 0;
  virtual Status script(const char* sql) = 0;
  virtual std::int64_t changes() = 0;

  virtual bool is_in_transaction() const = 0;
  virtual Status begin(TransactionKind kind) = 0;
  virtual Status commit() = 0;
  virtual void roll_back() = 0;
};

// One connection. For one thread at a time.
class Database {
 public:
  explicit Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

  // The rows of `sql` with its parameters bound in order. One statement serves one loop
  // at a time: while its rows are read, the same text must not be queried again.
  template <class... Args>
  Rows query(Sql sql, const Args&... args) const {
    const std::array<Value, sizeof...(Args)> values{to_value(args)...};
    return connection_->query(sql, values);
  }
  // For statements without rows. Within a transaction it may be sent later: then its failure is
  // that of the next query or of commit(), and the transaction can only be rolled back.
  template <class... Args>
  Status run(Sql sql, const Args&... args) const {
    const std::array<Value, sizeof...(Args)> values{to_value(args)...};
    return connection_->run(sql, values);
  }
  // Statements without parameters, one after another.
  Status script(const char* sql) const { return connection_->script(sql); }

  // How many rows the last statement changed.
  std::int64_t changes() const { return connection_->changes(); }

  // For the module that made it.
  Connection& connection() const { return *connection_; }

 private:
  std::unique_ptr<Connection> connection_;
};

// Its changes are undone unless commit() was called and succeeded. After a statement in it
// failed, it can only be rolled back.
class Transaction {
 public:
  using Kind = TransactionKind;
  // A deferred one that is begun inside another one is part of that.
  static Result<Transaction> begin(const Database& database, Kind kind);
  Transaction(Transaction&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction() {
    if (connection_ != nullptr) connection_->roll_back();
  }

  Status commit();

 private:
  explicit Transaction(Connection* connection) : connection_(connection) {}
  Connection* connection_;  // null once it has ended, and where another one ends it
};

}  // namespace weft::sql
