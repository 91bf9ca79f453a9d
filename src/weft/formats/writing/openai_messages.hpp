// Writes a conversation as a request of the Chat Completions API: {messages, tools?}. Internal.
#pragma once

#include "weft/formats/adapter.hpp"

namespace weft::formats::openai {

inline constexpr std::string_view kMessagesForm = "openai-messages";

// What the API has no place for is left out and told in the notes: reasoning of any kind,
// failures, pictures in results.
Result<Written> write_messages(const transcript::Conversation& conversation);

}  // namespace weft::formats::openai
