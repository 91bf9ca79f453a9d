#include "weft/store/sql/sums/row_hash.hpp"

#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

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

// Every value of every row comes here: the kind and the number are appended in one go.
void RowHasher::add_number(char kind, std::uint64_t value) {
  std::array<char, 1 + sizeof value> bytes{kind};
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(bytes.data() + 1, &value, sizeof value);
  bytes_.append(bytes.data(), bytes.size());
}

void RowHasher::add_integer(std::int64_t value) {
  add_number(kInteger, static_cast<std::uint64_t>(value));
}

void RowHasher::add_bytes(char kind, std::string_view bytes) {
  add_number(kind, bytes.size());
  if (bytes.size() <= kMostCopied) {
    bytes_ += bytes;
    return;
  }
  XXH128_canonical_t hash;  // the highest byte first
  XXH128_canonicalFromHash(&hash, XXH3_128bits(bytes.data(), bytes.size()));
  bytes_.append(reinterpret_cast<const char*>(hash.digest), sizeof hash.digest);
}

void RowHasher::add_real(double value) { add_number(kReal, std::bit_cast<std::uint64_t>(value)); }

RowHash RowHasher::finish() {
  const RowHash hash = hash_of_bytes(bytes_);
  bytes_.clear();
  return hash;
}

}  // namespace weft::store::sql
