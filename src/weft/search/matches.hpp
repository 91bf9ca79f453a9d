// Finds the words of a query in a text.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "weft/search/query.hpp"

namespace weft::search {

struct Match {
  std::size_t begin = 0, end = 0;  // in the text, in bytes
  std::size_t word = 0;            // which of the query's words
};

// Maximum number of words that are matched; of a longer query, the heaviest.
inline constexpr std::size_t kMaxSoughtWords = 64;
// How much text is read after the first match.
inline constexpr std::size_t kMaxBytesFromFirstMatch = 4 << 20;

// Passes matches to a visitor as they are found: words where they begin, phrases when they are
// complete. A word matches with any of its terms, at one position with the longest;
// a prefix with the shortest term that begins so. Excluded words match nothing. `weights`: one for
// each word.
void find_matches(std::string_view text, const Query& query, const std::vector<double>& weights,
                  const std::function<void(const Match&)>& found);

}  // namespace weft::search
