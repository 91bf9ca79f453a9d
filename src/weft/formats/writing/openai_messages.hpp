// Writes a conversation as a request of the Chat Completions API: {messages, tools?}.
#pragma once

#include "weft/formats/adapter.hpp"

namespace weft::formats::openai {

inline constexpr std::string_view kMessagesForm = "openai-messages";

// Blocks that the API has no place for are left out and counted in the notes: reasoning of any
// kind, failures, pictures in results.
Result<Written> write_messages(const transcript::Conversation& conversation);

}  // namespace weft::formats::openai
