#include "weft/page/site/target.hpp"

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"

namespace weft::page {
namespace {

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

}  // namespace

Target split_target(std::string_view target) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {.path = target, .query = {}};
  return {.path = target.substr(0, mark), .query = target.substr(mark + 1)};
}

std::optional<std::string> unescape(std::string_view text, Escapes escapes) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && escapes == Escapes::query) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (text.size() - i < 3) return std::nullopt;
      const auto high = digit(text[i + 1]), low = digit(text[i + 2]);
      if (!high || !low) return std::nullopt;
      out += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  std::string repaired;
  std::size_t repairs = 0;
  std::ignore = repair_utf8(out, repaired, repairs);
  if (repairs > 0) return std::nullopt;
  return out;
}

std::optional<std::string> match_path(std::string_view pattern, std::string_view path) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) {
    return pattern == path ? std::optional(std::string()) : std::nullopt;
  }
  const std::string_view before = pattern.substr(0, open);
  const std::string_view after = pattern.substr(pattern.find('}') + 1);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) ||
      !path.ends_with(after)) {
    return std::nullopt;
  }
  path = path.substr(before.size(), path.size() - before.size() - after.size());
  if (path.contains('/')) return std::nullopt;
  return unescape(path, Escapes::path);
}

Result<json::object> read_query(std::string_view query) {
  json::object arguments;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto name = unescape(pair.substr(0, equals), Escapes::query);
    const auto value = equals == std::string_view::npos
                           ? std::optional(std::string("true"))
                           : unescape(pair.substr(equals + 1), Escapes::query);
    if (!name || !value) {
      return fail(ErrorCode::invalid_input,
                  "the query of the URL has a broken escape: %XX of UTF-8");
    }
    if (arguments.contains(*name)) {
      return fail(ErrorCode::invalid_input, *name + ": given twice");
    }
    arguments[*name] = *value;
  }
  return arguments;
}

}  // namespace weft::page
