// ASCII text as HTTP compares it: without regard to case, without the blanks around a value.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace weft::net {

constexpr char to_lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return to_lower(c); });
  return lower;
}

// Whether `text` is `lower` in any case; `lower` has no upper-case letters.
constexpr bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) { return to_lower(a) == b; });
}

// `text` without spaces and tabs at either end. Points into `text`.
constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace weft::net
