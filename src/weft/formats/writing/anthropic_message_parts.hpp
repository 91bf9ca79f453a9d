// Parts of a request of the Messages API, made from blocks of any format. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "weft/transcript/block.hpp"

namespace weft::formats::anthropic {

inline constexpr std::size_t kMaxToolName = 128;  // in bytes; the API refuses longer ones

// An image, or a document. Empty if the API has no place for it: sounds, bytes of other kinds,
// files of which only the name is known.
std::optional<json::object> foreign_attachment(const transcript::Attachment& attachment);

// A result's content: its parts if the API knows all of them, else its text.
json::value foreign_content(const transcript::ToolResult& result);

// A block of another format as the API takes it; empty if there is nothing to send. `call_id` is
// that of a call or result.
std::optional<json::object> foreign_block(const transcript::Block& block, std::string_view call_id);

// What answers a call whose result was not recorded.
json::object missing_result(std::string_view call_id);

// A tool's definition, ours or OpenAI's. Empty for tools that OpenAI runs.
std::optional<json::object> tool_definition(const json::value& tool);

}  // namespace weft::formats::anthropic
