#include "weft/sqlite/statement.hpp"

#include <sqlite3.h>

#include <utility>

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

Rows::Rows(Rows&& other) noexcept
    : statement_(std::exchange(other.statement_, nullptr)), code_(other.code_) {}

Rows::~Rows() {
  if (statement_ != nullptr) sqlite3_reset(statement_);
}

bool Rows::next() {
  if (statement_ == nullptr) return false;
  code_ = sqlite3_step(statement_);
  if (code_ == SQLITE_ROW) return true;
  // At once, so that a finished read lets go of the store.
  sqlite3_reset(std::exchange(statement_, nullptr));
  return false;
}

Status Rows::status() const {
  if (code_ == SQLITE_OK || code_ == SQLITE_ROW || code_ == SQLITE_DONE) return {};
  return fail(to_error(code_));
}

std::int64_t Rows::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::optional<std::int64_t> Rows::find_integer(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return integer(column);
}

std::string_view Rows::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::optional<std::string_view> Rows::find_bytes(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return bytes(column);
}

}  // namespace weft::sqlite
