// Tells the conversations of OpenAI's APIs apart by their requests.
#pragma once

#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::formats::openai {

// As Adapter::conversation_key and Adapter::answer_name.
ConversationKey conversation_key(std::string_view request);
std::string answer_name(std::string_view response);

}  // namespace weft::formats::openai
