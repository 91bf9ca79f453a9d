// What a sum tells of a single damage: with one row changed, the stored sum minus the sum of the
// rows is the hash of the row as it was minus its hash as it is. So each row, with each of its bits
// flipped, is tried until the difference fits; and each two rows, with the values of one column
// exchanged. 128 bits do not fit by chance.
#include <sqlite3.h>

#include <memory>
#include <variant>

#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/sqlite/error.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft::store::sql {
namespace {

// Rows of more than this, and more hashes than this, are not tried: some seconds.
constexpr std::size_t kMostRowBytes = 2048;
constexpr std::uint64_t kMostHashes = 60'000'000;
constexpr std::size_t kMostTableBytes = 64u << 20;

struct Text {
  std::string bytes;
};
using Value = std::variant<std::monostate, std::int64_t, Text, std::string>;  // the last: a blob
using Row = std::vector<Value>;

RowHash hash_of_values(RowHasher& hasher, const Row& row) {
  for (const Value& value : row) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) hasher.add_integer(*integer);
    else if (const auto* text = std::get_if<Text>(&value)) hasher.add_text(text->bytes);
    else if (const auto* blob = std::get_if<std::string>(&value)) hasher.add_blob(*blob);
    else hasher.add_null();
  }
  return hasher.finish();
}

std::size_t size_of(const Row& row) {
  std::size_t size = 0;
  for (const Value& value : row) {
    if (const auto* text = std::get_if<Text>(&value)) size += text->bytes.size();
    else if (const auto* blob = std::get_if<std::string>(&value)) size += blob->size();
    else size += sizeof(std::int64_t);
  }
  return size;
}

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;

Result<Prepared> prepare_sql(const PlainDatabase& database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(sqlite::handle_of(database), sql.c_str(), -1, &statement, nullptr);
  Prepared prepared(statement);
  if (code != SQLITE_OK) return fail(sqlite::to_error(code, "mending a table"));
  return prepared;
}

Value to_value(sqlite3_stmt* statement, int column) {
  const auto bytes = [&] {
    const auto* blob = static_cast<const char*>(sqlite3_column_blob(statement, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return blob == nullptr ? std::string() : std::string(blob, size);
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_TEXT: return Text{bytes()};
    case SQLITE_BLOB: return bytes();
    default: return std::monostate();
  }
}

int bind_value(sqlite3_stmt* statement, int at, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, at, *integer);
  }
  if (const auto* text = std::get_if<Text>(&value)) {
    return sqlite3_bind_text(statement, at, text->bytes.data(),
                             static_cast<int>(text->bytes.size()), SQLITE_TRANSIENT);
  }
  if (const auto* blob = std::get_if<std::string>(&value)) {
    return sqlite3_bind_blob(statement, at, blob->data(), static_cast<int>(blob->size()),
                             SQLITE_TRANSIENT);
  }
  return sqlite3_bind_null(statement, at);
}

// A small table in memory, and what it lacks of its sum.
class Mending {
 public:
  Mending(const PlainDatabase& database, std::string_view table, const RowHash& difference)
      : database_(database), table_(table), difference_(difference) {}

  // False if the table is too large.
  Result<bool> read() {
    WEFT_TRY_VALUE(auto select, prepare_sql(database_, "SELECT * FROM \"" + table_ + "\""));
    const int columns = sqlite3_column_count(select.get());
    for (int i = 0; i < columns; ++i) columns_.emplace_back(sqlite3_column_name(select.get(), i));
    std::size_t size = 0;
    int code = SQLITE_OK;
    while ((code = sqlite3_step(select.get())) == SQLITE_ROW) {
      Row& row = rows_.emplace_back();
      for (int i = 0; i < columns; ++i) row.push_back(to_value(select.get(), i));
      hashes_.push_back(hash_of_values(hasher_, row));
      size += size_of(row) + sizeof(Row);
      if (size > kMostTableBytes) return false;
    }
    if (code != SQLITE_DONE) return fail(sqlite::to_error(code, "mending a table"));
    return true;
  }

  // The row whose hash is the surplus.
  Result<bool> remove_added() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (RowHash{} - hashes_[i] != difference_) continue;
      WEFT_TRY(erase(rows_[i]));
      return true;
    }
    return false;
  }

  Result<bool> flip_back() {
    std::uint64_t tried = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (size_of(rows_[i]) > kMostRowBytes) continue;
      const RowHash wanted = hashes_[i] + difference_;
      Row row = rows_[i];
      for (Value& value : row) {
        if (try_flips(row, value, wanted, tried)) return replace(rows_[i], row);
        if (tried > kMostHashes) return false;
      }
    }
    return false;
  }

  Result<bool> exchange_back() {
    const std::uint64_t pairs = rows_.size() * rows_.size() / 2 * columns_.size();
    if (pairs > kMostHashes / 2) return false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = i + 1; j < rows_.size(); ++j) {
        for (std::size_t column = 0; column < columns_.size(); ++column) {
          Row one = rows_[i], other = rows_[j];
          std::swap(one[column], other[column]);
          const RowHash change = hash_of_values(hasher_, one) + hash_of_values(hasher_, other) -
                                 hashes_[i] - hashes_[j];
          if (change != difference_) continue;
          WEFT_TRY(erase(rows_[i]));
          WEFT_TRY(erase(rows_[j]));
          WEFT_TRY(insert(one));
          WEFT_TRY(insert(other));
          return true;
        }
      }
    }
    return false;
  }

 private:
  // Flips one bit of `value`, which is part of `row`, after another.
  bool try_flips(Row& row, Value& value, const RowHash& wanted, std::uint64_t& tried) {
    const auto fits = [&] {
      ++tried;
      return hash_of_values(hasher_, row) == wanted;
    };
    if (auto* integer = std::get_if<std::int64_t>(&value)) {
      for (int bit = 0; bit < 64; ++bit) {
        const auto mask = static_cast<std::int64_t>(std::uint64_t{1} << bit);
        *integer ^= mask;
        if (fits()) return true;
        *integer ^= mask;
      }
      return false;
    }
    std::string* bytes = std::get_if<std::string>(&value);
    if (auto* text = std::get_if<Text>(&value)) bytes = &text->bytes;
    if (bytes == nullptr) return false;
    for (char& byte : *bytes) {
      for (int bit = 0; bit < 8; ++bit) {
        byte = static_cast<char>(byte ^ 1 << bit);
        if (fits()) return true;
        byte = static_cast<char>(byte ^ 1 << bit);
      }
    }
    return false;
  }

  Result<bool> replace(const Row& damaged, const Row& mended) {
    WEFT_TRY(erase(damaged));
    WEFT_TRY(insert(mended));
    return true;
  }

  Status run(const std::string& sql, const Row& row) {
    WEFT_TRY_VALUE(auto statement, prepare_sql(database_, sql));
    int code = SQLITE_OK;
    for (std::size_t i = 0; i < row.size() && code == SQLITE_OK; ++i) {
      code = bind_value(statement.get(), static_cast<int>(i) + 1, row[i]);
    }
    if (code == SQLITE_OK) code = sqlite3_step(statement.get());
    if (code != SQLITE_DONE) return fail(sqlite::to_error(code, "mending a table"));
    return {};
  }
  Status erase(const Row& row) {
    std::string sql = "DELETE FROM \"" + table_ + "\"";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      sql += (i == 0 ? " WHERE \"" : " AND \"") + columns_[i] + "\" IS ?";
    }
    return run(sql, row);
  }
  Status insert(const Row& row) {
    std::string sql = "INSERT INTO \"" + table_ + "\" VALUES (?";
    for (std::size_t i = 1; i < columns_.size(); ++i) sql += ", ?";
    return run(sql + ")", row);
  }

  const PlainDatabase& database_;
  const std::string table_;
  const RowHash difference_;
  RowHasher hasher_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
  std::vector<RowHash> hashes_;
};

}  // namespace

Result<bool> TableSums::mend(std::string_view table) {
  WEFT_TRY_VALUE(auto stored, find(table));
  if (!stored) return false;
  WEFT_TRY_VALUE(auto now, compute(table));
  if (now == *stored) return true;
  Mending mending(database_, table, stored->sum - now.sum);
  WEFT_TRY_VALUE(auto is_small, mending.read());
  if (!is_small) return false;
  if (now.rows == stored->rows + 1) return mending.remove_added();
  if (now.rows != stored->rows) return false;
  WEFT_TRY_VALUE(auto flipped, mending.flip_back());
  if (flipped) return true;
  return mending.exchange_back();
}

}  // namespace weft::store::sql
