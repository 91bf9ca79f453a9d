// Renders Markdown, as models write it, for a terminal.
//
// With colours, headings and emphasis are shown by them, and their marks are left out. Without
// colours the marks stay, so that nothing is lost, and the text can be used as Markdown again.
// Every line of the text begins a line of its own: people and models break lines where they mean
// it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

using LineSink = std::function<void(std::string_view line)>;

struct Page {
  const Style& style;
  std::size_t columns = Style::kUnlimited;
  std::string indent{};  // stands before every line
};

// Calls `print` with each line, without its end. Takes any text, and time that grows with its
// length.
void render_markdown(std::string_view text, const Page& page, const LineSink& print);

// The same for plain text: no marks are read, long lines are wrapped. All of it in `colour`.
void render_plain(std::string_view text, const Page& page, Colour colour, const LineSink& print);

}  // namespace weft::cli
