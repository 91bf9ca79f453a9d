// The hash of a row, and the sum of the hashes of a table's rows (docs/formats/store.md, "Sums").
//
// The sum does not depend on the order of the rows, so it is kept up to date by adding what comes
// and subtracting what goes. XXH3 is no secret: a sum shows damage, not malice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::store::sql {

// A number of 128 bits; arithmetic wraps around.
struct RowHash {
  std::uint64_t high = 0, low = 0;

  RowHash& operator+=(const RowHash& other);
  RowHash& operator-=(const RowHash& other);
  friend RowHash operator+(RowHash one, const RowHash& other) { return one += other; }
  friend RowHash operator-(RowHash one, const RowHash& other) { return one -= other; }
  friend bool operator==(const RowHash&, const RowHash&) = default;
};

// How many rows a table has, and the sum of their hashes.
struct TableSum {
  std::int64_t rows = 0;
  RowHash sum{};

  TableSum& operator+=(const TableSum& other);
  friend bool operator==(const TableSum&, const TableSum&) = default;
};

// 16 bytes, the highest first, as the sum is stored.
std::string to_bytes(const RowHash& hash);
// Zero if they are not 16.
RowHash to_row_hash(std::string_view bytes);

// Hashes rows one after another: add_…() for each column, in order, then finish().
class RowHasher {
 public:
  void add_null() { bytes_ += '\0'; }
  void add_integer(std::int64_t value);
  void add_real(double value);
  void add_text(std::string_view text) { add_bytes(kText, text); }
  void add_blob(std::string_view blob) { add_bytes(kBlob, blob); }
  // The hash of the row; the next add_…() begins another.
  RowHash finish();

 private:
  static constexpr char kInteger = 1, kReal = 2, kText = 3, kBlob = 4;  // on disk: they are hashed
  void add_bytes(char kind, std::string_view bytes);
  void add_number(char kind, std::uint64_t value);

  std::string bytes_;
};

}  // namespace weft::store::sql
