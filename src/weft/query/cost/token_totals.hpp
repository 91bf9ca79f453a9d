// The tokens of conversations, with one meaning of each column for every provider
// (transcript/request.hpp).
#pragma once

#include <optional>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct TokenTotals {
  transcript::Tokens tokens{};
  store::RowsRead rows{};
};

// Of one conversation, or of all: then a request that a fork or resumed session copied counts once.
// A conversation that was woven before requests were recorded counts with the totals in its facts.
Result<TokenTotals> token_totals(const Library& library,
                                 const std::optional<store::ConversationRow>& one,
                                 const QueryControl& control = {});

}  // namespace weft::query
