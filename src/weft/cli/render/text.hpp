// Text on its way to a person's terminal: made safe, measured, cut to fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::cli {

// What a transcript holds must not drive the terminal that shows it: escape and other
// control characters become visible signs (ESC is ␛), characters that turn the direction
// of writing become U+FFFD, broken UTF-8 too. Line ends and tabs stay.
std::string made_safe(std::string_view text);

// The same on one line: each run of white space is one blank, none at either end.
std::string on_one_line(std::string_view text);

// on_one_line of as much of the beginning as a line of a terminal could ever show.
std::string first_words(std::string_view text);

// In columns of a terminal. `text` is safe, without colours.
std::size_t display_width(std::string_view text);

// At most `columns` wide: cut between characters, and an … says so. `text` is safe, one
// line, without colours.
std::string fitted(std::string_view text, std::size_t columns);

}  // namespace weft::cli
