// Parts of the Responses API's items that Codex sessions and API logs share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/transcript/block.hpp"

namespace weft::formats::openai {

// The text of a content part ("input_text", "output_text", "text"); empty for any other.
std::optional<std::string_view> text_of_part(const json::value& part);

// "data:image/png;base64,…" with its bytes, any other URL as a reference.
transcript::Attachment image_of(std::string_view url);

// An Unknown without the members that only locate the item, so that a fork's copy is the same
// thought.
transcript::Unknown unknown_of(std::string_view type, json::object object);

// The name by which a model calls a tool of an MCP server.
std::string mcp_name(std::string_view server, std::string_view tool);

// A "reasoning" item. Some models leave nothing but opaque reasoning; others give summaries, or
// their thoughts.
struct Reasoning {
  std::optional<transcript::Body> body;  // Thinking or RedactedThinking; empty if it has none
  std::vector<std::string> texts;        // each summary and text, in order
};
Reasoning parse_reasoning(const json::object& item);

}  // namespace weft::formats::openai
