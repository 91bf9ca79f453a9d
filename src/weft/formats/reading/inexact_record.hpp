// What a record says, where its JSON holds more than a value can (ParsedJson::inexact): words
// stay words, but a body that keeps JSON is kept as the record's text instead.
#pragma once

#include <string_view>
#include <vector>

#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats {

// `type` and `text` are the record's. Blocks keep their number, so their places stay.
void keep_exact(std::vector<AuthoredBlock>& blocks, std::string_view type, std::string_view text);

}  // namespace weft::formats
