// The width and colours of an output stream: those of a terminal, or none for a file or a pipe.
#pragma once

#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace weft::cli {

enum class Colour { none, red, green, yellow, blue, magenta, cyan, faint, bold, italic };

// The layout of a page. The default is that of a pipe: no colours, unlimited width.
struct Style {
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  bool colours = false;
  std::size_t width = kUnlimited;

  // `text` in that colour, or unchanged.
  std::string paint(Colour colour, std::string_view text) const;
};

enum class ColourChoice { automatic, always, never };

// The environment variables used here.
struct TerminalEnvironment {
  bool no_colour = false;                // NO_COLOR is set to something
  bool dumb = false;                     // TERM says dumb
  std::optional<std::size_t> columns{};  // COLUMNS, for terminals that do not say
};

bool is_terminal(std::FILE* file);
// The height of the terminal in lines; empty for a file or a pipe, or if it does not say.
std::optional<std::size_t> terminal_rows(std::FILE* file);
Style style_of(std::FILE* file, ColourChoice choice, const TerminalEnvironment& environment);

}  // namespace weft::cli
