// The tokens of conversations, with one meaning of each column for every provider
// (transcript/request.hpp).
#pragma once

#include <vector>

#include "weft/query/cost/requests.hpp"

namespace weft::query {

struct TokenTotals {
  transcript::Tokens tokens{};
  std::vector<store::ConversationRow> unknown{};  // that state no count at all
};

// Over several conversations, a request that a fork or resumed session copied counts once. A
// conversation that was woven before requests were recorded counts with the totals in its facts.
Result<TokenTotals> token_totals(const Library& library,
                                 const std::vector<store::ConversationRow>& rows,
                                 const QueryControl& control = {});

}  // namespace weft::query
