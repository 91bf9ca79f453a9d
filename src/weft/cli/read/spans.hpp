// Text in several colours, wrapped to the width of a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

struct Span {
  std::string text{};  // safe for terminals, on one line (render/text.hpp)
  Colour colour = Colour::none;
};
using Spans = std::vector<Span>;

// What stands before the lines of a paragraph; both may have colours of their own.
struct Indent {
  std::string first{}, rest{};
};

// The lines, each at most `columns` wide, the indent included: broken at blanks and beside wide
// characters, and inside a word only if the word alone is wider. At least one line.
std::vector<std::string> wrapped(const Spans& spans, const Style& style, std::size_t columns,
                                 const Indent& indent = {});

// The width of a line that may contain colours.
std::size_t painted_width(std::string_view line);

// Tabs as blanks up to the next multiple of `stop`, counted from the beginning of the line.
std::string without_tabs(std::string_view line, std::size_t stop = 4);

}  // namespace weft::cli
