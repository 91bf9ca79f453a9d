// Recognises one body of a log as one of OpenAI's APIs.
#pragma once

#include "weft/formats/reading/partial_object.hpp"

namespace weft::formats::openai {

// Any body that is foreign decides.
enum class BodyLook { foreign, nothing, plain, own };

BodyLook look_at(const PartialObject& body);

}  // namespace weft::formats::openai
