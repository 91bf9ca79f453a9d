// Builds the content of a block's thought: its kind, and its members before any of them are
// sealed.
#pragma once

#include <string>
#include <string_view>

#include "weft/transcript/block.hpp"

namespace weft::weave {

// "thinking", "response", "human_input"…
std::string_view thought_kind(const transcript::Block& block);

// `tool_name` is used for a tool result that has no name of its own.
json::object block_content(const transcript::Block& block, std::string_view tool_name);
// The same, taking the long texts and the values of the block, which may be many megabytes. The
// rest of it stays: author, place, names, ids, summaries.
json::object take_content(transcript::Block& block, std::string_view tool_name);

// {url, title, text, indices}; `text` is the quoted text.
json::object citation_content(const transcript::Citation& citation, std::string_view text);

}  // namespace weft::weave
