// ASCII text: letter case and white space. Bytes beyond ASCII are left as they are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace weft {

inline constexpr std::string_view kWhiteSpace = " \t\r\n";

constexpr char to_lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return to_lower(c); });
  return lower;
}

constexpr bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

// `text` without `blanks` at either end. Points into `text`.
constexpr std::string_view trim(std::string_view text, std::string_view blanks = kWhiteSpace) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Whether `text` is empty or white space only.
constexpr bool is_blank(std::string_view text) {
  return text.find_first_not_of(kWhiteSpace) == std::string_view::npos;
}

}  // namespace weft
