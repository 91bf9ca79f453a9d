// Finds a phrase among the terms of a text, as they are told: its leaves one after another.
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

  // Takes a text's terms in order. Where the phrase began, in the text, if it ends with this one.
  std::optional<std::size_t> take(const Term& term);

 private:
  const std::vector<std::string>* leaves_;
  Overlap overlap_;
  // After so many leaves of the phrase and then another, how many may still be its beginning:
  // Knuth, Morris and Pratt's way to look at each leaf of a text once.
  std::vector<std::size_t> fallback_;
  std::size_t matched_ = 0;          // leaves of the phrase that were just read
  std::vector<std::size_t> begins_;  // where these begin: a ring
  std::size_t next_begin_ = 0;       // its place for the next one
  std::uint32_t next_position_ = 0;
};

}  // namespace weft::search
