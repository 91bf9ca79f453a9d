// CostSum: what some model requests cost together, and their tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/query/cost/price_table.hpp"
#include "weft/store/tables/request_list.hpp"

namespace weft::query {

class CostSum {
 public:
  std::uint64_t requests = 0, unpriced = 0;
  transcript::Tokens tokens{};
  double dollars = 0;

  // A request at the rates of `price`, which outlives this. Requests of one price are priced
  // together: their tokens are exact, in whatever order they come.
  void add(const store::RequestEntry& request, const Price& price) {
    ++requests;
    if (last_ >= at_price_.size() || at_price_[last_].first != &price) last_ = number_of(price);
    add_to(at_price_[last_].second, request.tokens);
  }
  // One whose cost is known in another way, or is not known.
  void add(const store::RequestEntry& request, std::optional<double> cost) {
    ++requests;
    add_to(tokens, request.tokens);
    if (cost) dollars += *cost;
    else ++unpriced;
  }
  void add(const CostSum& more) {
    requests += more.requests;
    unpriced += more.unpriced;
    add_to(tokens, more.tokens);
    dollars += more.dollars;
  }

  // Call it once, after the last request: what is counted by price is in the sums then.
  void finish();

  // Its members in an answer.
  void put(json::object& out) const;

 private:
  std::size_t number_of(const Price& price);

  std::vector<std::pair<const Price*, transcript::Tokens>> at_price_{};
  std::size_t last_ = 0;  // the price that was used last
};

}  // namespace weft::query
