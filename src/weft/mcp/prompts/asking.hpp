// Builds the messages of prompts.
#pragma once

#include <string>
#include <string_view>

#include "weft/mcp/answers/resource_content.hpp"
#include "weft/mcp/protocol/prompt.hpp"

namespace weft::mcp {

// {description, messages}: one message of the user's, sanitized for a model.
json::object asking(std::string_view description, std::string_view words);

// The argument with which a prompt is about one session, and the session that was named.
PromptArgument session_argument();
Served<store::ConversationRow> named_session(Call& call);

// Text of transcripts, marked as data before and after.
std::string quoted_data(std::string_view words);

// The first results of a search for these words, marked as data; a sentence if there are none.
std::string first_hits(Call& call, const std::string& words);

}  // namespace weft::mcp
