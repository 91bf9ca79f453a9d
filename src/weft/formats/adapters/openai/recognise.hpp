// Recognises logs of OpenAI's APIs and of APIs that imitate them.
#pragma once

#include <memory>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::formats::openai {

Confidence recognises(std::string_view head);
// Server-sent events, JSON lines, or one document.
std::unique_ptr<Framer> frame(std::string_view head);

}  // namespace weft::formats::openai
