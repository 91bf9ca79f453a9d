// Content blocks of the Messages API, from JSON and back, without loss: members that
// parse_block() has no place for are kept beside it, so that a block can be sent again as it was.
//
// Two blocks are equal if they differ only in what the API ignores: null members,
// "is_error":false, a result's text alone or in a list of one, empty texts, and cache_control,
// which says how to send a block. docs/replay.md has the list.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::anthropic {

// As parse_block(), with the members that the body does not hold in `extra`.
ParsedBlock parse_api_block(const json::value& block);

// The block as the API takes it. `call_id` is that of a call or result. Empty if the API has no
// such block: failures, summaries, unsigned thinking, empty texts, unreadable blocks, and
// those that no JSON value can hold (Unknown::raw_text).
std::optional<json::object> to_api_block(const transcript::Block& block, std::string_view call_id);

// The API's name for it: "tool_use", "server_tool_use", "web_search_tool_result", "text"….
std::string api_type_of(const transcript::Block& block);
// Whether the API itself runs the tool: call and result both stand in the assistant's message.
bool is_server_side(const transcript::Block& block);

// The JSON of an Unknown, if it is an object.
std::optional<json::object> unknown_json(const transcript::Unknown& unknown);

}  // namespace weft::formats::anthropic
