// Reads packed terms (index_terms.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "weft/store/index_terms.hpp"

namespace weft::store {

// Calls `visit(term, is_beside, times)` with each term in order, until it returns false.
// `is_beside`: it has the position of the term before it. Returns false if `visit` did. A length
// that leads beyond the end ends the terms.
template <class Visit>
bool each_packed_term(std::string_view packed, const Visit& visit) {
  bool is_beside = false;
  std::uint32_t times = 1;
  const auto rest = [&](std::size_t at) { return packed.substr(std::min(at, packed.size())); };
  for (std::size_t at = 0; at < packed.size();) {
    const auto length = static_cast<std::uint8_t>(packed[at++]);
    if (length == 0) {
      is_beside = true;
      continue;
    }
    if (length == kRepeat) {
      times = 0;
      for (const char byte : rest(at).substr(0, 4)) {
        times = times >> 8 | std::uint32_t{static_cast<std::uint8_t>(byte)} << 24;
      }
      at += 4;
      continue;
    }
    if (!visit(rest(at).substr(0, length), is_beside, times)) return false;
    at += length;
    is_beside = false;
    times = 1;
  }
  return true;
}

}  // namespace weft::store
