// Texts of blocks to search, from a seed; and the processor time of this process.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace weft::bench {

inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Text with the proportions of real sessions, counted on those that tests read: 8.5 bytes a word, a
// block says each of its words two and a half times, and a third of all words are joined to others
// (paths, snake_case, camelCase). Words are as common as Zipf has it: the tenth comes a tenth as
// often as the first. The most common ones are those of English.
class BlockTexts {
 public:
  explicit BlockTexts(std::uint64_t seed) : random_(seed) {}

  static std::string word(std::uint64_t rank) {
    static constexpr const char* kCommon[] = {"the",  "of",   "and", "to",  "a",   "in",
                                              "is",   "that", "it",  "for", "not", "on",
                                              "with", "as",   "be",  "this"};
    if (rank < std::size(kCommon)) return kCommon[rank];
    std::string out;
    std::uint64_t left = rank * 0x9E3779B97F4A7C15u ^ 0x5bd1e995;
    for (std::uint64_t i = 0; i < 4 + left % 5; ++i, left = left * 6364136223846793005u + 99) {
      out += static_cast<char>('a' + (left >> 33) % 26);
    }
    return out;
  }

  std::string text() {
    std::string out;
    std::vector<std::string> phrases;
    const double spread = std::exp(-0.5 + normal_(random_));
    const auto size = static_cast<std::size_t>(600 * std::min(spread, 40.0));
    while (out.size() < size + 4) {
      if (phrases.empty() || random_() % 100 < 45) phrases.push_back(unit());
      out += phrases[phrases.size() - 1 - random_() % std::min<std::size_t>(phrases.size(), 60)];
      static constexpr const char* kBetween[] = {" ",   " ",   " ", ", ",
                                                 ".\n", " = ", "(", ");\n    "};
      out += kBetween[random_() % std::size(kBetween)];
    }
    return out;
  }

  static constexpr double kWords = 400'000;

 private:
  std::uint64_t rank() { return static_cast<std::uint64_t>(std::pow(kWords, unit_(random_))) - 1; }

  // A word, or a few of them joined.
  std::string unit() {
    std::string out = word(rank());
    if (random_() % 100 >= 18) return out;
    const char joint = "_./-C"[random_() % 5];
    for (std::uint64_t more = 1 + random_() % 3; more > 0; --more) {
      std::string next = word(rank() / 8 + 16);  // names are made of common words
      if (joint == 'C') next[0] = static_cast<char>(next[0] - 'a' + 'A');
      else out += joint;
      out += next;
    }
    return out;
  }

  std::mt19937_64 random_;
  std::uniform_real_distribution<double> unit_{0, 1};
  std::normal_distribution<double> normal_{0, 1};
};

}  // namespace weft::bench
