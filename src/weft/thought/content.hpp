// Builds the content of a thought's JSON: clear members, and boxes under "$layers".
#pragma once

#include "weft/thought/thought.hpp"

namespace weft::thought {

json::object content_with_layers(const Thought& thought);

}  // namespace weft::thought
