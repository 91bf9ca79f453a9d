// Small parts that the readers of git's output share.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "weft/base/time.hpp"

namespace weft::git {

// Removes and returns the text before the first `end`, and removes `end`. Without one: all of it.
constexpr std::string_view cut_off(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

// A decimal number, and nothing else.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Seconds since 1970 as git prints them. Times outside 1970 to 9999 are clamped.
inline std::optional<Millis> parse_seconds(std::string_view text) {
  constexpr std::int64_t kLatest = 253'402'300'799;
  const auto seconds = parse_number<std::int64_t>(text);
  if (!seconds) return std::nullopt;
  return std::clamp<std::int64_t>(*seconds, 0, kLatest) * 1000;
}

// Whether this is the whole name of a commit or a blob: 40 hexadecimal digits, or 64.
constexpr bool is_object_name(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace weft::git
