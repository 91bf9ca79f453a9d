#include "weft/mcp/protocol/uri.hpp"

#include <cctype>

namespace weft::mcp {
namespace {

struct Parts {
  std::string_view before, variable, after;
};

Parts split(std::string_view uri_template) {
  const std::size_t open = uri_template.find('{');
  const std::size_t close = uri_template.find('}', open);
  if (open == std::string_view::npos || close == std::string_view::npos) {
    return {uri_template, {}, {}};
  }
  return {uri_template.substr(0, open), uri_template.substr(open + 1, close - open - 1),
          uri_template.substr(close + 1)};
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit(text[i + 1]);
    const int low = digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

bool is_unreserved(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_' ||
         c == '~';
}

}  // namespace

bool has_variable(std::string_view uri_template) { return !variable_of(uri_template).empty(); }

std::string_view variable_of(std::string_view uri_template) { return split(uri_template).variable; }

std::optional<std::string> match_uri(std::string_view uri_template, std::string_view uri) {
  const auto [before, variable, after] = split(uri_template);
  if (variable.empty()) return uri == uri_template ? std::optional<std::string>("") : std::nullopt;
  if (!uri.starts_with(before) || !uri.ends_with(after)) return std::nullopt;
  if (uri.size() <= before.size() + after.size()) return std::nullopt;
  const std::string_view value =
      uri.substr(before.size(), uri.size() - before.size() - after.size());
  if (value.find('/') != std::string_view::npos) return std::nullopt;
  return decoded(value);
}

std::string expand_uri(std::string_view uri_template, std::string_view value) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto [before, variable, after] = split(uri_template);
  std::string out(before);
  for (const char c : value) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out.append(after);
}

}  // namespace weft::mcp
