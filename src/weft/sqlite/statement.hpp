// A prepared statement of SQLite. See sql::Database::query, which keeps them ready.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/sql/rows.hpp"
#include "weft/sql/value.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace weft::sqlite {

using sql::Blob;
using sql::blob;
using sql::Rows;

// A value for one of our own functions; SQL cannot look into it.
struct Pointer {
  void* to;
  const char* type;  // a literal
};

// Rows of a statement point to it: it stays where it is while they are read.
class Statement final : public sql::Cursor {
 public:
  // Made when it is first used: `sql` lives until then.
  Statement(sqlite3* database, const char* sql) : database_(database), sql_(sql) {}

  // Binds the parameters in order.
  template <class... Args>
  Rows query(const Args&... args) {
    int code = prepare();
    int at = 0;
    ((code = code == 0 ? bind(++at, args) : code), ...);
    return to_rows(code);
  }
  Rows query_values(std::span<const sql::Value> values);

  // For statements without rows.
  template <class... Args>
  Status run(const Args&... args) {
    return to_end(query(args...));
  }
  Status run_values(std::span<const sql::Value> values) { return to_end(query_values(values)); }

 private:
  Step step() override;
  Error error() const override;
  void close() override;
  bool is_null(int column) const override;
  std::int64_t integer(int column) const override;
  std::string_view bytes(int column) const override;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  int prepare();
  int bind(int at, std::int64_t value);
  int bind(int at, std::string_view text);
  int bind(int at, Blob value);
  int bind(int at, Pointer value);
  template <class T>
  int bind(int at, const std::optional<T>& value) {
    return value ? bind(at, *value) : bind_null(at);
  }
  int bind_null(int at);
  Rows to_rows(int code);
  static Status to_end(Rows rows);

  sqlite3* database_;
  const char* sql_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int code_ = 0;  // of the last step
};

}  // namespace weft::sqlite
