#include "weft/store/sqlite/sums/row_hash.hpp"

#include <sqlite3.h>
#include <xxhash.h>

#include <array>
#include <bit>

namespace weft::store::sql {
namespace {

// Longer values are hashed where they lie, and their hash stands for them.
constexpr std::size_t kMostCopied = 64;

RowHash hash_of_bytes(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace

RowHash& RowHash::operator+=(const RowHash& other) {
  low += other.low;
  high += other.high + (low < other.low ? 1 : 0);
  return *this;
}

RowHash& RowHash::operator-=(const RowHash& other) {
  high -= other.high + (low < other.low ? 1 : 0);
  low -= other.low;
  return *this;
}

TableSum& TableSum::operator+=(const TableSum& other) {
  rows += other.rows;
  sum += other.sum;
  return *this;
}

std::string to_bytes(const RowHash& hash) {
  std::string bytes;
  for (const std::uint64_t half : {hash.high, hash.low}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift & 0xff);
  }
  return bytes;
}

RowHash to_row_hash(std::string_view bytes) {
  RowHash hash;
  if (bytes.size() != 16) return hash;
  for (std::size_t i = 0; i < 16; ++i) {
    std::uint64_t& half = i < 8 ? hash.high : hash.low;
    half = half << 8 | static_cast<std::uint8_t>(bytes[i]);
  }
  return hash;
}

void RowHasher::add_number(std::uint64_t value) {
  std::array<char, sizeof value> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(value >> 8 * i & 0xff);
  }
  bytes_.append(bytes.data(), bytes.size());
}

void RowHasher::add_integer(std::int64_t value) {
  bytes_ += kInteger;
  add_number(static_cast<std::uint64_t>(value));
}

void RowHasher::add_bytes(char kind, std::string_view bytes) {
  bytes_ += kind;
  add_number(bytes.size());
  bytes_ += bytes.size() <= kMostCopied ? bytes : std::string_view(to_bytes(hash_of_bytes(bytes)));
}

void RowHasher::add(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return add_integer(sqlite3_value_int64(value));
    case SQLITE_FLOAT:
      bytes_ += kReal;
      return add_number(std::bit_cast<std::uint64_t>(sqlite3_value_double(value)));
    case SQLITE_NULL: return add_null();
    default: break;
  }
  const bool is_text = sqlite3_value_type(value) == SQLITE_TEXT;
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));  // null if empty
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  add_bytes(is_text ? kText : kBlob,
            bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
}

RowHash RowHasher::finish() {
  const RowHash hash = hash_of_bytes(bytes_);
  bytes_.clear();
  return hash;
}

}  // namespace weft::store::sql
