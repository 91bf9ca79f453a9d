// The parts of a request of the Chat Completions API, one by one. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/transcript/block.hpp"

namespace weft::formats::openai {

inline constexpr std::size_t kMaxToolNameBytes = 64;

json::object text_part(std::string_view text);

// An image, a sound or a file; the words of any other that has some. Empty where there is
// nothing that the API would take.
std::optional<json::object> attachment_part(const transcript::Attachment& attachment);

// A call, with its arguments as the text that the model wrote where that is known.
json::object call_json(const transcript::Block& block, std::string_view id);

// {"role":"tool",…}. Its words alone: the API takes no others. True in `left_out` if it had any.
json::object result_message(const transcript::ToolResult& result, std::string_view id,
                            bool& left_out);

// A tool's definition, OpenAI's or Anthropic's. Empty for tools that Anthropic runs.
std::optional<json::object> tool_json(const json::value& tool);

}  // namespace weft::formats::openai
