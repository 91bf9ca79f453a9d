// URIs of resources, and templates with one {variable}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::mcp {

bool has_variable(std::string_view uri_template);
// "cid" of "weft://thought/{cid}"; empty if there is none.
std::string_view variable_of(std::string_view uri_template);

// What `uri` has in the variable's place, decoded; "" for a template without one. Empty if the
// URI is not of that form: a variable is never nothing, and never holds a "/".
//   match_uri("weft://thought/{cid}", "weft://thought/3f2a")   "3f2a"
std::optional<std::string> match_uri(std::string_view uri_template, std::string_view uri);

// The URI with `value` in the variable's place, encoded.
std::string expand_uri(std::string_view uri_template, std::string_view value);

}  // namespace weft::mcp
