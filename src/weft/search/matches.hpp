// Where the words of a query stand in a text.
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

// So many words of a query are looked for; of more, those that weigh most.
inline constexpr std::size_t kMaxSoughtWords = 64;
// Once something is found, so much more of the text is looked at.
inline constexpr std::size_t kMaxBytesFromFirstMatch = 4 << 20;

// Tells of the matches in the order in which they are known: of words by where they begin, of
// phrases when they are complete. A word matches with any of its terms, and of those at one
// position with the longest; a prefix with the shortest that begins so. Words that must not be
// there match nothing. `weights`: one for each word.
void find_matches(std::string_view text, const Query& query, const std::vector<double>& weights,
                  const std::function<void(const Match&)>& found);

}  // namespace weft::search
