// Parses tool results, in all the forms in which Codex has stored them.
#pragma once

#include "weft/transcript/block.hpp"

namespace weft::formats::codex {

// Text, parts, is_error and details of an `output`: a text; a list of content items; an
// object {content, success} or {output, metadata}; or the latter as JSON in a text. The caller
// sets the call that it answers.
transcript::ToolResult parse_output(const json::value& output);

}  // namespace weft::formats::codex
