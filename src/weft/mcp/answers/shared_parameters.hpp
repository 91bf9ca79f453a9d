// Parameters that several tools take, each declared once. max_chars() is in
// mcp/protocol/tool.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/mcp/protocol/parameter.hpp"

namespace weft::mcp {

// limit: "Maximum number of results.", with the noun that fits the tool. At least 1.
Parameter limit_of(std::string_view description, std::int64_t preset, std::int64_t most);
// offset: the number of elements to skip.
Parameter offset_of(std::string_view description);
// response_format of tools that return thoughts: `detailed` by default, or `concise`
// (make_concise() in paging.hpp).
Parameter thought_format();

inline constexpr std::string_view kMaxResults = "Maximum number of results.";
inline constexpr std::string_view kSkipResults = "Number of results to skip, for paging.";

}  // namespace weft::mcp
