// Database: a connection to the tables of a store, as readers and writers see it.
//
// Statements are written once, in what SQLite and PostgreSQL have in common
// (docs/decisions/0053-one-dialect-for-two-databases.md). What each of them keeps or does in its
// own way is behind Backend.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "weft/sql/database.hpp"

namespace weft::store {
enum class Sync;
}  // namespace weft::store

namespace weft::store::sql {

using ::weft::sql::Blob;
using ::weft::sql::blob;
using ::weft::sql::Rows;
using ::weft::sql::Sql;
using ::weft::sql::Transaction;
// A connection without the parts of a store.
using PlainDatabase = ::weft::sql::Database;

class Edges;
class FullText;
class NameIndex;
class Sums;
struct Recomputed;

// One connection, and its parts. Implementations: SQLite (store/sqlite/sqlite_backend.hpp). For one
// thread at a time.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual const PlainDatabase& connection() const = 0;
  virtual Edges& edges() = 0;
  virtual NameIndex& name_index() = 0;
  virtual FullText& full_text() = 0;
  virtual Sums& sums() = 0;

  // Whether the store has a table: one of an older version, opened to be read, lacks some.
  virtual Result<bool> has_table(std::string_view name) = 0;
  // What `verify` checks of this kind of database beside what follows from thoughts.
  virtual std::span<const Recomputed> checks() const = 0;

  // --- for writers -----------------------------------------------------------------------
  // That the store still has the version that this weft knows. Called in every transaction that
  // writes. invalid_input if a newer weft has upgraded it meanwhile.
  virtual Status check_current() = 0;
  // A number that changes when another connection has committed. In a transaction.
  virtual Result<std::int64_t> count_foreign_commits() = 0;
  // When the next commits are on the disk. Outside of transactions.
  virtual Status set_sync(Sync sync) = 0;
  // Deleted rows are overwritten from now on, as far as the database can. Outside of transactions.
  virtual Status overwrite_deleted() = 0;
};

class Database {
 public:
  explicit Database(std::unique_ptr<Backend> backend)
      : backend_(std::move(backend)), connection_(&backend_->connection()) {}

  // See the connection's.
  template <class... Args>
  Rows query(Sql sql, const Args&... args) const {
    return connection_->query(sql, args...);
  }
  template <class... Args>
  Status run(Sql sql, const Args&... args) const {
    return connection_->run(sql, args...);
  }
  // How many rows the last statement changed.
  std::int64_t changes() const { return connection_->changes(); }
  // For transactions.
  operator const PlainDatabase&() const { return *connection_; }

  Backend& backend() const { return *backend_; }
  Edges& edges() const { return backend_->edges(); }
  NameIndex& name_index() const { return backend_->name_index(); }
  FullText& full_text() const { return backend_->full_text(); }
  Sums& sums() const { return backend_->sums(); }

 private:
  std::unique_ptr<Backend> backend_;
  const PlainDatabase* connection_;  // of backend_
};

}  // namespace weft::store::sql
