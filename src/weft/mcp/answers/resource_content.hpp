// Contents shared by resources and prompts, and completion of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/resource.hpp"

namespace weft::mcp {

// {contents: [{uri, mimeType, text}]}, sanitized for a model.
json::object json_contents(std::string_view uri, json::object document);
json::object text_contents(std::string_view uri, std::string text);

// A conversation of query::list, as a resource.
Listed listed(const json::object& conversation);

// CIDs that begin with these digits, with or without "cid:blake3:"; none for fewer than 8 digits
// (all would match).
std::vector<std::string> complete_thought(Call& call, std::string_view prefix);
// CIDs of conversations, for any number of digits; the newest first.
std::vector<std::string> complete_conversation(Call& call, std::string_view prefix);
// `format:id` of main conversations, by either half; the newest first.
std::vector<std::string> complete_session(Call& call, std::string_view prefix);

}  // namespace weft::mcp
