// Parses the content blocks of pi's messages: text, thinking, toolCall, image. A block of another
// type is parsed as one of Anthropic's, which some writers use.
#pragma once

#include <vector>

#include "weft/base/json.hpp"
#include "weft/transcript/block.hpp"

namespace weft::formats::pi {

// The bodies of a string, or of an array of blocks, at most `limit`; none for empty ones. The
// signatures of texts and calls (textSignature, thoughtSignature) are not kept; those of thinking
// are.
std::vector<transcript::Body> parse_content(const json::value& content, std::size_t limit);

// A message of the role toolResult.
transcript::Body parse_tool_result(const json::object& message);

}  // namespace weft::formats::pi
