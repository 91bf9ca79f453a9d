// Recognises logs of LiteLLM.
#pragma once

#include <memory>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::formats::litellm {

Confidence recognises(std::string_view head);
// JSON lines, a list, or one document.
std::unique_ptr<Framer> frame(std::string_view head);

}  // namespace weft::formats::litellm
