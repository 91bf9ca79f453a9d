// Stop words: words of nearly every English text. They count only inside phrases.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weft::search {

inline constexpr std::array<std::string_view, 33> kStopWords = {
    "a",   "an",    "and",  "are",   "as",    "at",   "be",   "but", "by",  "for",  "if",
    "in",  "into",  "is",   "it",    "no",    "not",  "of",   "on",  "or",  "such", "that",
    "the", "their", "then", "there", "these", "they", "this", "to",  "was", "will", "with"};

// A perfect hash table: one comparison, and no branch that depends on the word. Every word of a
// text is looked up here.
class StopWordTable {
 public:
  static constexpr std::size_t kMaxBytes = 5;

  constexpr StopWordTable() {
    while (!place_all()) factor_ = factor_ * 6364136223846793005 + 1442695040888963407;
  }
  // `word` has 1 to kMaxBytes bytes.
  constexpr bool holds(std::string_view word) const {
    const std::uint64_t number = number_of(word);
    return numbers_[place_of(number)] == number;
  }

 private:
  static constexpr int kBits = 8;

  // The word as a unique number: its bytes, the last one repeated, and its length.
  static constexpr std::uint64_t number_of(std::string_view word) {
    const std::size_t last = word.size() - 1;
    const auto byte = [&](std::size_t i) {
      return std::uint64_t{static_cast<std::uint8_t>(word[std::min(i, last)])};
    };
    return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24 | byte(4) << 32 | last << 40;
  }
  constexpr std::size_t place_of(std::uint64_t number) const {
    return number * factor_ >> (64 - kBits);
  }
  constexpr bool place_all() {
    numbers_ = {};
    for (const std::string_view word : kStopWords) {
      std::uint64_t& place = numbers_[place_of(number_of(word))];
      if (place != 0) return false;
      place = number_of(word);
    }
    return true;
  }

  std::uint64_t factor_ = 1;
  std::array<std::uint64_t, 1 << kBits> numbers_{};
};
inline constexpr StopWordTable kStopWordTable;

constexpr bool is_stop_word(std::string_view word) {
  return !word.empty() && word.size() <= StopWordTable::kMaxBytes && kStopWordTable.holds(word);
}

}  // namespace weft::search
