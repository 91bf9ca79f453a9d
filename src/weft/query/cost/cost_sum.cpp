#include "weft/query/cost/cost_sum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace weft::query {

void CostSum::finish() {
  // In the order of the table, so that the last digits do not depend on which request came first.
  std::ranges::sort(at_price_, std::less(), &std::pair<const Price*, transcript::Tokens>::first);
  for (const auto& [price, more] : at_price_) {
    add_to(tokens, more);
    dollars += cost_of(more, *price);
  }
  at_price_.clear();
  dollars += billionths_ / 1e9;
  billionths_ = 0;
}

void CostSum::put(json::object& out) const {
  out["requests"] = requests;
  out["input"] = tokens.input;
  out["output"] = tokens.output;
  out["cache_read"] = tokens.cache_read;
  out["cache_write_5m"] = tokens.cache_write_5m;
  out["cache_write_1h"] = tokens.cache_write_1h;
  out["reasoning"] = tokens.reasoning;
  // Millionths of a dollar: sums of doubles do not show their last digits.
  if (requests > 0 && unpriced == requests) out["cost"] = nullptr;
  else out["cost"] = std::round(dollars * 1e6) / 1e6;
  out["unpriced_requests"] = unpriced;
}

std::size_t CostSum::number_of(const Price& price) {
  const auto found =
      std::ranges::find(at_price_, &price, &std::pair<const Price*, transcript::Tokens>::first);
  const auto number = static_cast<std::size_t>(found - at_price_.begin());
  if (number == at_price_.size()) at_price_.emplace_back(&price, transcript::Tokens());
  return number;
}

}  // namespace weft::query
