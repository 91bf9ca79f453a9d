// The content blocks of pi's messages: text, thinking, toolCall, image. What is of none of
// these types is read as one of Anthropic's, which some writers use.
#pragma once

#include <vector>

#include "weft/base/json.hpp"
#include "weft/transcript/block.hpp"

namespace weft::formats::pi {

// A string, or an array of blocks, of which `limit` are taken. Empty strings and arrays say
// nothing. What signs a text or a call for the provider (textSignature, thoughtSignature) is
// not kept; what signs a thought is.
std::vector<transcript::Body> parse_content(const json::value& content, std::size_t limit);

// A message of the role toolResult.
transcript::Body parse_tool_result(const json::object& message);

}  // namespace weft::formats::pi
