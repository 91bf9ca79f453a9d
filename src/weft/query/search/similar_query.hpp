// A similar query: what a query that finds nothing probably meant, with words that exist.
//
// Only clear text is consulted, so nothing is said of sealed words.
#pragma once

#include <optional>
#include <string>

#include "weft/query/library.hpp"
#include "weft/store/search_index.hpp"

namespace weft::query {

// Each word that no thought has is replaced by the first of these that some thought has: its
// beginning without the last or the last two letters, for other forms (migrating: migrat*); the
// nearest word by edit distance, for misspellings (supabsae: supabase); its beginning without the
// last three letters. Words of three letters and less, words with digits, phrases and excluded
// words stay. Empty if nothing was replaced.
Result<std::optional<search::Query>> similar_query(const Library& library,
                                                   const store::SearchRequest& request);

// The words of a query as a person types them, without its filters.
std::string to_words(const search::Query& query);

}  // namespace weft::query
