// What words for people are written on: a terminal with its width and colours, or a file
// or pipe, where there are neither.
#pragma once

#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace weft::cli {

enum class Colour { none, red, green, yellow, blue, magenta, cyan, faint, bold };

// How a page is laid out. The default is that of a pipe: plain, as wide as need be.
struct Style {
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  bool colours = false;
  std::size_t width = kUnlimited;

  // `text` in that colour, or as it is.
  std::string paint(Colour colour, std::string_view text) const;
};

enum class ColourChoice { automatic, always, never };

// What of the environment matters here.
struct TerminalEnvironment {
  bool no_colour = false;                // NO_COLOR is set to something
  bool dumb = false;                     // TERM says dumb
  std::optional<std::size_t> columns{};  // COLUMNS, for terminals that do not say
};

bool is_terminal(std::FILE* file);
Style style_of(std::FILE* file, ColourChoice choice, const TerminalEnvironment& environment);

}  // namespace weft::cli
