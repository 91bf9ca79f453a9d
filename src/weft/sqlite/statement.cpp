#include "weft/sqlite/statement.hpp"

#include <sqlite3.h>

#include <variant>

#include "weft/sqlite/error.hpp"

namespace weft::sqlite {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

int Statement::prepare() {
  if (statement_) return SQLITE_OK;
  sqlite3_stmt* made = nullptr;
  const int code =
      sqlite3_prepare_v3(database_, sql_, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  statement_.reset(made);
  return code;
}

int Statement::bind(int at, std::int64_t value) {
  return sqlite3_bind_int64(statement_.get(), at, value);
}

int Statement::bind(int at, std::string_view text) {
  return sqlite3_bind_text64(statement_.get(), at, text.data() == nullptr ? "" : text.data(),
                             text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

int Statement::bind(int at, Blob value) {
  // A null pointer would bind NULL, and an empty blob is not NULL.
  return sqlite3_bind_blob64(statement_.get(), at,
                             value.bytes.data() == nullptr ? "" : value.bytes.data(),
                             value.bytes.size(), SQLITE_STATIC);
}

int Statement::bind(int at, Pointer value) {
  return sqlite3_bind_pointer(statement_.get(), at, value.to, value.type, nullptr);
}

int Statement::bind_null(int at) { return sqlite3_bind_null(statement_.get(), at); }

Rows Statement::to_rows(int code) {
  if (code == SQLITE_OK) return Rows(*this);
  return Rows(to_error(code));
}

Rows Statement::query_values(std::span<const sql::Value> values) {
  int code = prepare();
  for (std::size_t i = 0; code == SQLITE_OK && i < values.size(); ++i) {
    const int at = static_cast<int>(i) + 1;
    const sql::Value& value = values[i];
    if (const auto* integer = std::get_if<std::int64_t>(&value)) code = bind(at, *integer);
    else if (const auto* blob = std::get_if<Blob>(&value)) code = bind(at, *blob);
    else if (const auto* text = std::get_if<std::string_view>(&value)) code = bind(at, *text);
    else code = bind_null(at);
  }
  return to_rows(code);
}

Status Statement::to_end(Rows rows) {
  while (rows.next()) {
  }
  return rows.status();
}

sql::Cursor::Step Statement::step() {
  code_ = sqlite3_step(statement_.get());
  if (code_ == SQLITE_ROW) return Step::row;
  return code_ == SQLITE_DONE ? Step::end : Step::failed;
}

Error Statement::error() const { return to_error(code_); }

void Statement::close() { sqlite3_reset(statement_.get()); }

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

}  // namespace weft::sqlite
