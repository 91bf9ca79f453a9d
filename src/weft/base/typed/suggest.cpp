#include "weft/base/typed/suggest.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weft {

// Optimal string alignment: Levenshtein distance in which swapping two neighbours counts as one
// edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> names) {
  constexpr std::size_t kLongestName = 40;  // a longer word is not a mistyped name
  if (typed.size() > kLongestName) return std::nullopt;
  std::optional<std::string_view> best;
  // It must be below this. Two changes of three letters make another word.
  std::size_t best_distance = typed.size() <= 3 ? 2 : typed.size() / 3 + 2;
  for (const std::string_view name : names) {
    // A prefix is a likely abbreviation, however long the rest.
    const bool begins = typed.size() >= 2 && name.starts_with(typed);
    const std::size_t now = begins ? 1 : edit_distance(typed, name);
    if (now < best_distance && now < name.size()) {
      best = name;
      best_distance = now;
    }
  }
  return best;
}

}  // namespace weft
