// The part of a text that shows why it was found.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weft/search/query.hpp"

namespace weft::search {

// Where a word of the query stands in the snippet's text, in code points: [begin, end).
struct Mark {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const Mark&, const Mark&) = default;
};

struct Snippet {
  // One line: white space folded; control, bidi, tag and zero-width characters gone; "…" where it
  // was cut. Valid UTF-8 whatever it was made of.
  std::string text{};
  std::vector<Mark> marks{};  // in order, none touching another

  friend bool operator==(const Snippet&, const Snippet&) = default;
};

// At most `code_points` long and cut between words, around the window with the most of the query's
// words, rarer ones counting more (`weights`: one for each of query.words; empty: all alike). The
// text's beginning where nothing of the query is in it.
//
// A mark is where a term of a word stands (its longest there), a word with a prefix, or all of a
// phrase; never what must not be there. Of more than 64 words the heaviest count. A text may be
// large: it is read once, until something was found and then 4 MiB on.
Snippet make_snippet(std::string_view text, const Query& query, const std::vector<double>& weights,
                     std::size_t code_points);

// Its text with each mark between `open` and `close`.
std::string with_marks(const Snippet& snippet, std::string_view open, std::string_view close);

// How often the leaves of a phrase stand next to each other in a text; they may overlap.
std::size_t count_phrase(std::string_view text, const std::vector<std::string>& leaves);

}  // namespace weft::search
