// Searching while somebody types: prefixes of two, three and four letters, asked of a warm store.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "measure.hpp"
#include "weft/store/store.hpp"
#include "words.hpp"

namespace weft::bench {

// `word` gives the word of a rank; the lower, the more common.
template <class WordOfRank>
void ask_while_typing(const store::Store& web, const WordOfRank& word) {
  constexpr int kPrefixes = 40;
  constexpr double kLimit = 30;
  Words dice(7);
  for (std::size_t letters = 2; letters <= 4; ++letters) {
    std::vector<double> times;
    double matches = 0;
    for (int i = 0; i < kPrefixes; ++i) {
      const std::string typed = word(16 + dice.number(20'000)).substr(0, letters) + "*";
      const store::SearchRequest request{.query = search::parse_query(typed)};
      (void)web.search(request);  // warm
      const Stopwatch stopwatch;
      const auto answer = web.search(request);
      times.push_back(stopwatch.seconds() * 1e3);
      if (answer) matches += static_cast<double>(answer->total);
    }
    std::ranges::sort(times);
    const double slow = times[times.size() * 95 / 100];
    std::printf("prefixes of %zu letters, p95        %6.2f ms (limit %.0f)%s   %.0f matches\n",
                letters, slow, kLimit, slow > kLimit ? "  OVER" : "", matches / kPrefixes);
  }
}

}  // namespace weft::bench
