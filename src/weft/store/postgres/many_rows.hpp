// ManyRows: inserts rows some dozens a statement, because a statement costs a server more than a
// row does.
//
//   constexpr auto kMany = many_rows<2>("INSERT INTO names (id, cid) VALUES ");
//   ManyRows rows(database, kMany.data(), "INSERT INTO names (id, cid) VALUES (?, ?)");
//   WEFT_TRY(rows.add({id, blob(cid.digest())}));
//   WEFT_TRY(rows.finish());
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/sql/database.hpp"

namespace weft::store::sql {

inline constexpr std::size_t kRowsAtOnce = 64;

// `insert` with kRowsAtOnce times "(?, …)", and a zero behind it.
template <std::size_t kColumns, std::size_t kLength>
consteval auto many_rows(const char (&insert)[kLength]) {
  // A row is (?,?) and a comma, which the last one has not.
  std::array<char, kLength + kRowsAtOnce * (2 * kColumns + 2)> text{};
  std::size_t at = 0;
  for (; at + 1 < kLength; ++at) text[at] = insert[at];
  for (std::size_t row = 0; row < kRowsAtOnce; ++row) {
    if (row > 0) text[at++] = ',';
    for (std::size_t column = 0; column < kColumns; ++column) {
      text[at++] = column == 0 ? '(' : ',';
      text[at++] = '?';
    }
    text[at++] = ')';
  }
  return text;
}

class ManyRows {
 public:
  using Value = ::weft::sql::Value;

  // `database` outlives it. A column has values of one type, and none is NULL: a statement is
  // prepared for the types of its values.
  ManyRows(const ::weft::sql::Database& database, ::weft::sql::Sql many, ::weft::sql::Sql one)
      : connection_(database.connection()), many_(many), one_(one) {}

  // Views in `row` live until finish().
  Status add(std::initializer_list<Value> row) { return add(std::span(row.begin(), row.size())); }
  Status add(std::span<const Value> row) {
    columns_ = row.size();
    values_.insert(values_.end(), row.begin(), row.end());
    if (values_.size() < kRowsAtOnce * columns_) return {};
    const Status status = connection_.run(many_, values_);
    values_.clear();
    return status;
  }
  // Writes those that are left.
  Status finish() {
    for (std::size_t at = 0; at < values_.size(); at += columns_) {
      WEFT_TRY(connection_.run(one_, std::span(values_).subspan(at, columns_)));
    }
    values_.clear();
    return {};
  }

 private:
  ::weft::sql::Connection& connection_;
  const ::weft::sql::Sql many_, one_;
  std::size_t columns_ = 0;
  std::vector<Value> values_;
};

}  // namespace weft::store::sql
