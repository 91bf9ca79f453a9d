// Rows of a reader's state: bounded lists, and hashes saved as the integers of the same bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "weft/base/json.hpp"

namespace weft::formats {

// Appends `item`, and drops the oldest beyond `most`.
template <class T>
void push(std::deque<T>& window, T item, std::size_t most) {
  window.push_back(std::move(item));
  if (window.size() > most) window.pop_front();
}

inline std::int64_t as_int(std::uint64_t hash) { return std::bit_cast<std::int64_t>(hash); }

// The integer or the hash at `i`; empty if there is none.
inline std::optional<std::int64_t> int_at(const json::array& row, std::size_t i) {
  if (i >= row.size() || !row[i].is_int64()) return std::nullopt;
  return row[i].get_int64();
}
inline std::optional<std::uint64_t> hash_at(const json::array& row, std::size_t i) {
  const auto number = int_at(row, i);
  if (!number) return std::nullopt;
  return std::bit_cast<std::uint64_t>(*number);
}

}  // namespace weft::formats
