// The marks inside a line of Markdown: code, emphasis, links.
#pragma once

#include <string_view>

#include "weft/cli/read/spans.hpp"

namespace weft::cli {

// `line` is safe. `base` is the colour of text without marks. Marks that have no partner are text.
Spans parse_inline(std::string_view line, Colour base = Colour::none);

}  // namespace weft::cli
