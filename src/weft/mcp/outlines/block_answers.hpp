// Answers of wot_walk_sequence that count blocks instead of turns: blocks by number, and what is
// known of each besides its text.
#pragma once

#include "weft/mcp/protocol/call.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/library.hpp"

namespace weft::mcp {

// Whether the call asks for such an answer: by `from`, or by `outline`.
bool counts_blocks(const json::object& arguments);

// As far as there is room; `next_from` is where the rest begins.
Served<> answer_blocks(Call& call, const store::ConversationRow& row);

}  // namespace weft::mcp
