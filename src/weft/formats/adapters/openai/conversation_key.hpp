// Finds the conversation that a request of OpenAI's APIs belongs to.
#pragma once

#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::formats::openai {

// As Adapter::conversation_key and Adapter::answer_name.
ConversationKey conversation_key(std::string_view request);
std::string answer_name(std::string_view response);

}  // namespace weft::formats::openai
