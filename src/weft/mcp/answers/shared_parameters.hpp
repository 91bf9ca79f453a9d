// Parameters that several tools take, each declared once, and the wording that they share. What a
// model is shown of all tools costs every conversation of every agent tokens, so names that speak
// for themselves have no description. max_chars() is in mcp/protocol/tool.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/mcp/protocol/parameter.hpp"

namespace weft::mcp {

// limit: the maximum number of results, at least 1.
Parameter limit_of(std::int64_t preset, std::int64_t most);
// offset: the number of results to skip.
Parameter offset_of();
// response_format of tools that return thoughts: `detailed` by default, or `concise`
// (make_concise() in paging.hpp).
Parameter thought_format();

inline constexpr std::string_view kThoughtName = "CID, or 8+ of its hex digits.";
inline constexpr std::string_view kConversationName = "CID, 8+ of its hex digits, or session id.";
inline constexpr std::string_view kSince =
    "2026-10-01, 10:30, yesterday, 2w…; local time unless it has a zone.";

}  // namespace weft::mcp
