// What a block becomes: the kind of its thought, and the members of its content before
// any of them are sealed.
#pragma once

#include <string>
#include <string_view>

#include "weft/transcript/block.hpp"

namespace weft::weave {

// "thinking", "response", "human_input"…
std::string_view thought_kind(const transcript::Block& block);

// `tool_name` serves a tool result whose own name is empty.
json::object block_content(const transcript::Block& block, std::string_view tool_name);

// {url, title, text, indices}; `text` is what was quoted.
json::object citation_content(const transcript::Citation& citation, std::string_view text);

}  // namespace weft::weave
