// Finds a phrase in a stream of terms: its leaves one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/search/terms.hpp"

namespace weft::search {

enum class Overlap { yes, no };  // whether a phrase may begin within the one before it

class PhraseFinder {
 public:
  // `leaves` outlives this; one or more.
  PhraseFinder(const std::vector<std::string>& leaves, Overlap overlap);

  // Reads the terms of a text in order. Returns where the phrase begins in the text, if it ends
  // with this term.
  std::optional<std::size_t> take(const Term& term);

 private:
  const std::vector<std::string>* leaves_;
  Overlap overlap_;
  // The failure table of Knuth, Morris and Pratt, so that each leaf of a text is read once: the
  // number of leaves that still match after a mismatch, by the number matched before.
  std::vector<std::size_t> fallback_;
  std::size_t matched_ = 0;          // leaves of the phrase that were just read
  std::vector<std::size_t> begins_;  // their positions: a ring buffer
  std::size_t next_begin_ = 0;       // its next slot
  std::uint32_t next_position_ = 0;
};

}  // namespace weft::search
