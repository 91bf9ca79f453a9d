// Makes text safe to show: removes characters that could mislead a terminal or a reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::search {

// A code point to show, and its position in the text.
struct VisiblePoint {
  std::size_t begin = 0;    // in the text it was made of
  std::string_view bytes;   // as it is shown: into that text, or a constant
  bool is_of_word = false;  // letters that are part of longer words

  bool is_blank() const { return bytes == " "; }
};

// The code points to show of `text` from byte `begin` up to `end`, on one line. Each run of white
// space becomes one blank, with none at the ends. Controls, terminal escapes, bidi controls, tags
// and zero-width characters are left out; invalid UTF-8 becomes U+FFFD. `text` outlives the result.
std::vector<VisiblePoint> visible_points(std::string_view text, std::size_t begin, std::size_t end);

// Whether `text` contains characters that are not shown: controls other than line ends and tabs,
// bidi controls, tags, zero-width characters, or invalid UTF-8.
bool has_hidden(std::string_view text);
// `text` without these; invalid UTF-8 becomes U+FFFD. Line ends, tabs and blanks stay.
std::string without_hidden(std::string_view text);

}  // namespace weft::search
