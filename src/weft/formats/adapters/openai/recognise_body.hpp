// How one body of a log looks: like one of OpenAI's, or not.
#pragma once

#include "weft/formats/apis/anthropic/body.hpp"

namespace weft::formats::openai {

// Any body that is foreign decides.
enum class BodyLook { foreign, nothing, plain, own };

BodyLook look_at(const anthropic::Body& body);

}  // namespace weft::formats::openai
