// Cursors of a search: where its next page begins.
//
// A cursor belongs to one question and one state of the index, so that the pages of a search fit
// together while conversations grow: what came in meanwhile is left out, and no result comes twice
// or is skipped. It is a text that callers pass back as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/query/questions.hpp"
#include "weft/store/search_index.hpp"

namespace weft::query {

struct SearchCursor {
  std::uint64_t offset = 0;
  // When the first page was asked for, if times limit the search: relative ones count from then.
  // Otherwise 0, so that the same search has the same cursor.
  Millis asked_at = 0;
  store::IndexPoint as_of{};
};

std::string to_cursor(const SearchCursor& cursor, const SearchOptions& question);
// invalid_input if it is not a cursor, or one of another question.
Result<SearchCursor> parse_cursor(std::string_view text, const SearchOptions& question);
// `clock` as it was at the first page of a search, so that `2w` means the same on each; as it is
// without a cursor.
LocalClock clock_at(std::string_view cursor, LocalClock clock);

}  // namespace weft::query
