// The rows that a query gives. See Database::query.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "weft/base/result.hpp"

namespace weft::sql {

// The rows of one query, as a database implements them. Columns count from 0; they are read between
// a step that found a row and the next one.
class Cursor {
 public:
  enum class Step { row, end, failed };
  virtual Step step() = 0;
  virtual Error error() const = 0;  // after a failed step
  // Nobody reads these rows any more. Called once, and nothing is called after it.
  virtual void close() = 0;

  virtual bool is_null(int column) const = 0;
  virtual std::int64_t integer(int column) const = 0;    // 0 for NULL
  virtual std::string_view bytes(int column) const = 0;  // empty for NULL

 protected:
  ~Cursor() = default;
};

// Rows of a query. next() is false at the end and after a failure; status() tells which. Views into
// a row hold until the next call of next(). A column of integers is read with integer(), one of
// text or blobs with bytes().
class Rows {
 public:
  explicit Rows(Cursor& cursor) : cursor_(&cursor) {}
  explicit Rows(Error error) : error_(std::make_unique<Error>(std::move(error))) {}
  Rows(Rows&& other) noexcept
      : cursor_(std::exchange(other.cursor_, nullptr)), error_(std::move(other.error_)) {}
  Rows& operator=(Rows&&) = delete;
  ~Rows() {
    if (cursor_ != nullptr) cursor_->close();
  }

  [[nodiscard]] bool next() {
    if (cursor_ == nullptr) return false;
    const Cursor::Step step = cursor_->step();
    if (step == Cursor::Step::row) return true;
    end(step);
    return false;
  }
  Status status() const {
    if (!error_) return {};
    return fail(*error_);
  }

  // Without a row: as for NULL.
  std::int64_t integer(int column) const { return cursor_ ? cursor_->integer(column) : 0; }
  std::string_view bytes(int column) const {
    return cursor_ ? cursor_->bytes(column) : std::string_view();
  }
  std::optional<std::int64_t> find_integer(int column) const {
    if (is_null(column)) return std::nullopt;
    return integer(column);
  }
  std::optional<std::string_view> find_bytes(int column) const {
    if (is_null(column)) return std::nullopt;
    return bytes(column);
  }

 private:
  bool is_null(int column) const { return cursor_ == nullptr || cursor_->is_null(column); }
  // At once, so that a finished read lets go of the database.
  void end(Cursor::Step step);

  Cursor* cursor_ = nullptr;  // null once the rows have ended
  std::unique_ptr<Error> error_;
};

}  // namespace weft::sql
