// The price of a request by the rules of ccusage 20.0.24, where they differ from ours. For
// comparison: `weft cost --like ccusage`.
#pragma once

#include <optional>
#include <string_view>

#include "weft/query/cost/price_table.hpp"
#include "weft/store/tables/request_list.hpp"

namespace weft::query {

// Whether ccusage reads sessions of this format as `claude` or `codex`.
bool is_read_by_ccusage(std::string_view format);

// What the line states as its cost, else tokens by price. A model has one price, that of its newest
// rows. In Codex, the size of a request selects the rates for all of it, and a request without a
// model is one of gpt-5; elsewhere each kind of token is charged the larger rate only beyond the
// line.
std::optional<double> ccusage_cost(const store::RequestEntry& request, std::string_view model,
                                   const PriceTable& prices, bool is_codex);

}  // namespace weft::query
