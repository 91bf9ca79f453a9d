// The terms of clear text that a term may be a misspelling of, for every backend.
#pragma once

#include <string>
#include <vector>

#include "weft/store/postings/postings.hpp"
#include "weft/store/search_index.hpp"

namespace weft::store::sql {

// See SearchIndex::near_terms. Reads at most kMaxCompared terms.
inline constexpr std::size_t kMaxCompared = 200'000;
Result<std::vector<NearTerm>> find_near_terms(Postings& postings, const std::string& term,
                                              std::size_t max_edits);

}  // namespace weft::store::sql
