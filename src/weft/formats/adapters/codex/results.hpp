// What a tool gave back, in all the forms that Codex has kept it in.
#pragma once

#include "weft/transcript/block.hpp"

namespace weft::formats::codex {

// Text, parts, is_error and details of an `output`: a text; a list of content items; an
// object {content, success} or {output, metadata}; or the latter as JSON in a text. Whose
// call it answers is for the caller to say.
transcript::ToolResult parse_output(const json::value& output);

}  // namespace weft::formats::codex
