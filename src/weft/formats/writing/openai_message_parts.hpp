// Parts of a request of the Chat Completions API, made from blocks of any format. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/transcript/block.hpp"

namespace weft::formats::openai {

inline constexpr std::size_t kMaxToolNameBytes = 64;

json::object text_part(std::string_view text);

// An image, a sound or a file; the text of any other attachment that has one. Empty if the API
// would take nothing of it.
std::optional<json::object> attachment_part(const transcript::Attachment& attachment);

// A call, with its arguments as the text that the model wrote, if known.
json::object call_json(const transcript::Block& block, std::string_view id);

// {"role":"tool",…}. Its text only: the API takes no other parts. Sets `left_out` if it had any.
json::object result_message(const transcript::ToolResult& result, std::string_view id,
                            bool& left_out);

// A tool's definition, OpenAI's or Anthropic's. Empty for tools that Anthropic runs.
std::optional<json::object> tool_json(const json::value& tool);

}  // namespace weft::formats::openai
