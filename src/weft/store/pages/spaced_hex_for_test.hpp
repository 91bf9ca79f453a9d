// Bytes as docs/formats/ writes them: "08 E5 15".
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "weft/base/hex.hpp"

namespace weft::store::sql {

inline std::string spaced_hex(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) {
    const std::string digits = to_hex(std::array{static_cast<std::uint8_t>(byte)});
    if (!out.empty()) out += ' ';
    for (const char digit : digits) out += static_cast<char>(std::toupper(digit));
  }
  return out;
}

// The bytes again; in small digits too.
inline std::string from_spaced_hex(std::string_view text) {
  std::string out;
  for (; text.size() >= 2; text.remove_prefix(std::min<std::size_t>(3, text.size()))) {
    out += static_cast<char>(std::stoi(std::string(text.substr(0, 2)), nullptr, 16));
  }
  return out;
}

}  // namespace weft::store::sql
