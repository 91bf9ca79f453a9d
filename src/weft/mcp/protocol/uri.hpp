// Matches and builds URIs of resources from templates with one {variable}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::mcp {

bool has_variable(std::string_view uri_template);
// "cid" of "weft://thought/{cid}"; empty if there is none.
std::string_view variable_of(std::string_view uri_template);

// The decoded value of the variable in `uri`; "" for a template without one. Empty if the URI does
// not match: a variable is never empty, and never contains a "/".
//   match_uri("weft://thought/{cid}", "weft://thought/3f2a") "3f2a"
std::optional<std::string> match_uri(std::string_view uri_template, std::string_view uri);

// The URI with the encoded `value` of the variable.
std::string expand_uri(std::string_view uri_template, std::string_view value);

}  // namespace weft::mcp
