#include "weft/secrets/pattern.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace weft::secrets {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::size_t number_at(std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  const auto read = std::from_chars(text.data() + at, text.data() + text.size(), value);
  at = static_cast<std::size_t>(read.ptr - text.data());
  return value;
}

}  // namespace

bool is_in_class(char c, char name) {
  switch (name) {
    case 'd': return is_digit(c);
    case 'x': return is_digit(c) || (c >= 'a' && c <= 'f');
    case 'h': return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    case 'b': return is_upper(c) || (c >= '2' && c <= '7');
    case 'A': return is_upper(c) || is_digit(c);
    case 'l': return is_upper(c) || is_lower(c);
    case 'a': return is_upper(c) || is_lower(c) || is_digit(c);
    case 'w': return is_in_class(c, 'a') || c == '_';
    case 'u': return is_in_class(c, 'w') || c == '-';
    case 's': return is_in_class(c, 'a') || c == '+' || c == '/' || c == '=';
    case 't': return is_in_class(c, 'u') || is_in_class(c, 's') || c == '.' || c == '~';
    default: return false;
  }
}

bool ends_with_escape(std::string_view text) {
  constexpr std::string_view kEscapes = "nrtbf";
  return text.size() >= 2 && text[text.size() - 2] == '\\' &&
         kEscapes.find(text.back()) != std::string_view::npos;
}

Pattern::Pattern(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bracket = std::min(text.find('[', at), text.size());
    if (bracket > at) parts_.push_back({.literal = text.substr(at, bracket - at)});
    if (bracket == text.size()) break;
    Part part{.name = text[bracket + 1]};
    at = bracket + 2;
    part.least = part.most = number_at(text, at);
    if (text[at] == '-') part.most = number_at(text, ++at);
    assert(text[at] == ']' && part.least > 0 && part.most >= part.least);
    ++at;
    parts_.push_back(part);
  }
}

std::optional<std::size_t> Pattern::match(std::string_view text) const {
  std::size_t at = 0;
  for (const Part& part : parts_) {
    if (!part.literal.empty()) {
      if (!text.substr(at).starts_with(part.literal)) return std::nullopt;
      at += part.literal.size();
      continue;
    }
    std::size_t count = 0;
    while (count < part.most && at + count < text.size() &&
           is_in_class(text[at + count], part.name))
      ++count;
    if (count < part.least) return std::nullopt;
    at += count;
  }
  const bool goes_on = at < text.size() && is_in_class(text[at], parts_.back().name);
  return goes_on ? std::nullopt : std::optional(at);
}

std::optional<std::size_t> Pattern::match_before(std::string_view text) const {
  const Part& part = parts_.front();
  std::size_t count = 0;
  while (count < part.most && count < text.size() &&
         is_in_class(text[text.size() - 1 - count], part.name)) {
    ++count;
  }
  if (count < part.least) return std::nullopt;
  const std::string_view left = text.substr(0, text.size() - count);
  const bool goes_on = !left.empty() && is_in_class(left.back(), part.name);
  return goes_on && !ends_with_escape(left) ? std::nullopt : std::optional(count);
}

}  // namespace weft::secrets
