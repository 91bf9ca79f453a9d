// A prepared statement, and the rows that it gives. See Database::query, which keeps
// them ready.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "weft/base/cid.hpp"
#include "weft/base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace weft::sqlite {

// A blob to bind; an empty optional is NULL. It must stay until the statement ran.
struct Blob {
  std::string_view bytes;
};
inline Blob blob(const Digest& digest) {
  return {{reinterpret_cast<const char*>(digest.data()), digest.size()}};
}

// A value for one of our own functions; SQL cannot look into it.
struct Pointer {
  void* to;
  const char* type;  // a literal
};

// Rows of a running statement. next() is false at the end and after a failure; status()
// tells which. Views into a row hold until the next call of next().
class Rows {
 public:
  Rows(sqlite3_stmt* statement, int code) : statement_(statement), code_(code) {}
  Rows(Rows&& other) noexcept;
  Rows& operator=(Rows&&) = delete;
  ~Rows();

  [[nodiscard]] bool next();
  Status status() const;

  std::int64_t integer(int column) const;
  std::optional<std::int64_t> find_integer(int column) const;
  std::string_view bytes(int column) const;  // empty for NULL
  std::optional<std::string_view> find_bytes(int column) const;

 private:
  sqlite3_stmt* statement_;
  int code_;
};

class Statement {
 public:
  // Made when it is first used: `sql` lives until then.
  Statement(sqlite3* database, const char* sql) : database_(database), sql_(sql) {}

  // Binds the parameters in order.
  template <class... Args>
  Rows query(const Args&... args) {
    int code = prepare();
    int at = 0;
    ((code = code == 0 ? bind(++at, args) : code), ...);
    return Rows(code == 0 ? statement_.get() : nullptr, code);
  }

  // For statements without rows.
  template <class... Args>
  Status run(const Args&... args) {
    Rows rows = query(args...);
    while (rows.next()) {
    }
    return rows.status();
  }

 private:
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

  sqlite3* database_;
  const char* sql_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace weft::sqlite
