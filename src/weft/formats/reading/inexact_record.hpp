// Keeps the blocks of a record exact whose JSON no value can hold (ParsedJson::inexact): texts
// stay as they are, and a body that would keep JSON keeps the record's text instead.
#pragma once

#include <string_view>
#include <vector>

#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats {

// `type` and `text` are the record's. The number of blocks stays the same, and so do their places.
void keep_exact(std::vector<AuthoredBlock>& blocks, std::string_view type, std::string_view text);

}  // namespace weft::formats
