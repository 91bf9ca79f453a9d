// BM25 (docs/design.md, "Ranking"): the sum, over the words of a query, of
//
//   idf · tf / (tf + k1 · (1 − b + b · dl / avgdl)),   idf = ln(1 + (N − df + ½) / (df + ½))
//
// A text's length dl is its number of terms (without stop words), at most kMaxLength.
#pragma once

#include <cmath>
#include <cstdint>

namespace weft::search {

inline constexpr double kK1 = 1.5;
inline constexpr double kB = 0.75;
inline constexpr std::uint32_t kMaxLength = 65535;

inline double idf(double texts, double with_term) {
  return std::log(1.0 + (texts - with_term + 0.5) / (with_term + 0.5));
}

// The part of a term's score that depends on the text; times idf it is the score.
inline double share(double tf, double length, double average_length) {
  return tf / (tf + kK1 * (1.0 - kB + kB * length / average_length));
}

}  // namespace weft::search
