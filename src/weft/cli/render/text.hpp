// Makes text safe for a terminal, measures it, and cuts it to a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::cli {

// A transcript must not control the terminal that shows it: escape and other control characters
// become visible signs (ESC is ␛), characters that change the direction of writing or have no width
// become U+FFFD, and so does invalid UTF-8. Newlines and tabs stay, and joiners in emoji and in
// scripts that need them.
std::string made_safe(std::string_view text);

// Without the sequences that only set colours (ESC [ … m), which tools print; nothing else changes.
std::string without_colours(std::string_view text);

// made_safe for JSON, or text that is mostly JSON: such characters become \\u escapes, so that it
// still says the same.
std::string escaped_for_terminal(std::string_view json);

// The same on one line: each run of white space becomes one blank, with none at either end.
std::string on_one_line(std::string_view text);

// on_one_line of as much of the beginning as a line of a terminal could ever show.
std::string first_words(std::string_view text);

// The width in columns of a terminal. `text` is safe, without colours.
std::size_t display_width(std::string_view text);

// At most `columns` wide: cut between characters, and marked with an …. `text` is safe, one line,
// without colours.
std::string fitted(std::string_view text, std::size_t columns);

}  // namespace weft::cli
