// A text as it may be shown on one line: what a terminal or a reader could be misled by is gone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::search {

// A code point that is shown, and where it comes from.
struct VisiblePoint {
  std::size_t begin = 0;    // in the text it was made of
  std::string_view bytes;   // as it is shown: into that text, or a constant
  bool is_of_word = false;  // letters that are part of longer words

  bool is_blank() const { return bytes == " "; }
};

// The code points to show of `text` from byte `begin` up to `end`. Each run of white space is one
// blank, and there is none at the ends. Controls, colours of terminals, bidi controls, tags and
// what has no width are left out; what is no UTF-8 becomes U+FFFD. `text` outlives the result.
std::vector<VisiblePoint> visible_points(std::string_view text, std::size_t begin, std::size_t end);

// Whether anything of `text` is left out where it is shown: controls but for line ends and tabs,
// bidi controls, tags, what has no width, and what is no UTF-8.
bool has_hidden(std::string_view text);
// `text` without all that; what is no UTF-8 becomes U+FFFD. Line ends, tabs and blanks stay.
std::string without_hidden(std::string_view text);

}  // namespace weft::search
