// Reads the target of a request: its path, and the arguments of its query. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::page {

struct Target {
  std::string_view path;   // as it was sent
  std::string_view query;  // behind the "?"
};
Target split_target(std::string_view target);

// "%2F" as "/"; in a query, "+" as a blank. Empty if an escape is broken or the result is not
// UTF-8.
enum class Escapes { path, query };
std::optional<std::string> unescape(std::string_view text, Escapes escapes);

// The part of `path` that stands where `pattern` has "{…}", unescaped; "" for a pattern without
// one. Empty if the path does not match. It is never empty and never contains a "/" as sent.
std::optional<std::string> match_path(std::string_view pattern, std::string_view path);

// The arguments: "a=1&b" is {"a": "1", "b": "true"}. invalid_input for a broken escape, and for a
// name that is given twice.
Result<json::object> read_query(std::string_view query);

}  // namespace weft::page
