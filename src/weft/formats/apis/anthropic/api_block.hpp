// Anthropic's content blocks as the Messages API speaks them, from JSON and back, whole: what
// parse_block() has no place for is kept beside it, so that a block can be sent again as it was.
//
// Two blocks are the same where they differ only in what means nothing to the API: members that
// are null, "is_error":false, a result's text that stands alone or in a list of one, empty
// texts, and cache_control, which says how to send a block and not what it is. docs/replay.md
// has the list.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::anthropic {

// As parse_block(), and `extra` has what the body does not say.
ParsedBlock parse_api_block(const json::value& block);

// The block as the API takes it. `call_id` is that of a call or result. Empty where the API has
// no such block: failures, summaries, thinking that nobody signed, texts without a word, and
// what cannot be read. A text that no value can hold (Unknown::raw_text) is no value either.
std::optional<json::object> to_api_block(const transcript::Block& block, std::string_view call_id);

// How the API calls it: "tool_use", "server_tool_use", "web_search_tool_result", "text"….
std::string api_type_of(const transcript::Block& block);
// Of a tool that the API itself runs: call and result both stand in the assistant's message.
bool is_server_side(const transcript::Block& block);

// What an Unknown says, where that is an object.
std::optional<json::object> unknown_json(const transcript::Unknown& unknown);

}  // namespace weft::formats::anthropic
