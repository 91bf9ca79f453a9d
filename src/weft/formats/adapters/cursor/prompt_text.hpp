// The text that a person typed, inside the prompt that Cursor sends to a model in their name:
//
//   <attached_files>…</attached_files> <user_query>\nlist the files\n</user_query>
#pragma once

#include <string_view>
#include <vector>

#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::cursor {

// The words within <user_query> are the person's, all around them the program's. A text without
// it is the person's, unless it begins with a tag as the program's own do. Nothing for blanks.
std::vector<AuthoredBlock> parse_prompt(std::string_view text);

}  // namespace weft::formats::cursor
