// Snippet: the part of a text that shows why it matched a query.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weft/search/query.hpp"

namespace weft::search {

// The position of a query word in the snippet's text, in code points: [begin, end).
struct Mark {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const Mark&, const Mark&) = default;
};

struct Snippet {
  // One line of valid UTF-8: white space folded; control, bidi, tag and zero-width characters
  // removed; "…" where it was cut.
  std::string text{};
  std::vector<Mark> marks{};  // in order, not touching each other

  friend bool operator==(const Snippet&, const Snippet&) = default;
};

// At most `code_points` long and cut between words, around the window with the most words of the
// query, weighted by rarity (`weights`: one for each of query.words; empty: all alike). The
// beginning of the text if no word of the query is in it.
//
// A mark covers a term of a word (the longest there), a word that begins with a prefix, or a whole
// phrase; never an excluded word. Of more than 64 words the heaviest count. A text may be large: it
// is read once, up to 4 MiB after the first match.
Snippet make_snippet(std::string_view text, const Query& query, const std::vector<double>& weights,
                     std::size_t code_points);

// Its text with each mark between `open` and `close`.
std::string with_marks(const Snippet& snippet, std::string_view open, std::string_view close);

// How often a phrase occurs in a text; occurrences may overlap.
std::size_t count_phrase(std::string_view text, const std::vector<std::string>& leaves);

}  // namespace weft::search
