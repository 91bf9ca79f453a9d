// Calls in the text of a Cline answer. Up to 2025 one text has the thoughts and the call in it:
//
//   <thinking>…</thinking> I look at it. <read_file><path>a.txt</path></read_file>
//
// Such a call is taken out of the text only where that can be done exactly: it ends the text,
// its tool is one that Cline has, and each tag of it is there once. Where a parameter quotes
// such tags itself, what the call was is anybody's guess, and the text stays whole.
#pragma once

#include <string_view>
#include <vector>

#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::cline {

// All of the model. Nothing for a text of blanks.
std::vector<AuthoredBlock> parse_model_text(std::string_view text);

}  // namespace weft::formats::cline
