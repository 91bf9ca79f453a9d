#include "weft/store/sql/names/name_filter.hpp"

#include <algorithm>
#include <bit>

namespace weft::store::sql {
namespace {

constexpr int kHashBits = 32;
constexpr std::uint64_t kFewestBits = 1u << 23, kMostBits = 1u << 30;  // 1 MB to 128 MB
// At most one in sixteen is then taken for known, and asked for.
constexpr std::uint64_t kBitsPerName = 16;
// Reading a name costs about a quarter of asking for one.
constexpr std::int64_t kReadsPerQuestion = 4;

std::uint64_t bit_of(Hash hash, int shift) { return hash >> shift; }

void set(std::vector<std::uint64_t>& bits, std::uint64_t bit) {
  bits[bit / 64] |= std::uint64_t{1} << bit % 64;
}

}  // namespace

bool NameFilter::rules_out(Hash hash) const {
  const std::lock_guard lock(mutex_);
  if (bits_.empty()) return false;
  const std::uint64_t bit = bit_of(hash, shift_);
  return (bits_[bit / 64] >> bit % 64 & 1) == 0;
}

void NameFilter::add(std::span<const Name> names) {
  const std::lock_guard lock(mutex_);
  if (bits_.empty()) return;
  for (const Name& name : names) set(bits_, bit_of(name.hash, shift_));
}

void NameFilter::turn_off() {
  const std::lock_guard lock(mutex_);
  bits_ = {};
  asked_ = 0;
}

Status NameFilter::prepare(const Database& database, std::size_t asked, std::int64_t names) {
  std::uint64_t bits = 0;
  {
    const std::lock_guard lock(mutex_);
    bits = bits_.size() * 64;
  }
  if (bits == 0) {
    asked_ += asked;
    if (names > static_cast<std::int64_t>(asked_) * kReadsPerQuestion) return {};
  } else if (bits == kMostBits || static_cast<std::uint64_t>(names) * kBitsPerName <= bits) {
    return {};
  }
  return read_all(database, names);
}

Status NameFilter::read_all(const Database& database, std::int64_t names) {
  // Has room for twice the names before it is rebuilt.
  const std::uint64_t wanted = std::bit_ceil(static_cast<std::uint64_t>(names) * kBitsPerName * 2);
  const std::uint64_t size = std::clamp(wanted, kFewestBits, kMostBits);
  const int shift = kHashBits - std::countr_zero(size);
  std::vector<std::uint64_t> bits(size / 64);
  Status status =
      database.name_index().each([&](const Name& name) { set(bits, bit_of(name.hash, shift)); });
  if (!status) return status;
  const std::lock_guard lock(mutex_);
  bits_ = std::move(bits);
  shift_ = shift;
  return {};
}

}  // namespace weft::store::sql
