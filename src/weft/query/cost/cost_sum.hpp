// CostSum: what some model requests cost together, and their tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/query/cost/price_table.hpp"
#include "weft/store/tables/request_sums.hpp"

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
  // Several at the rates of `price`.
  void add(const store::RequestSum& sum, const Price& price) {
    requests += sum.requests;
    add_to(at_price_[number_of(price)].second, sum.tokens);
  }
  // One, or several, of which the source states the cost, in billionths of a dollar.
  void add_stated(const store::RequestEntry& request, std::int64_t cost) {
    ++requests;
    add_to(tokens, request.tokens);
    billionths_ += static_cast<double>(cost);
  }
  void add_stated(const store::RequestSum& sum, std::int64_t cost) {
    requests += sum.requests;
    add_to(tokens, sum.tokens);
    billionths_ += static_cast<double>(cost);
  }
  // Several whose cost is not known.
  void add_unpriced(const store::RequestSum& sum) {
    requests += sum.requests;
    add_to(tokens, sum.tokens);
    unpriced += sum.requests;
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

  // Call it once, after the last request: what is counted by price, or stated, is in the sums then.
  void finish();

  // Its members in an answer.
  void put(json::object& out) const;

 private:
  std::size_t number_of(const Price& price);

  std::vector<std::pair<const Price*, transcript::Tokens>> at_price_{};
  std::size_t last_ = 0;   // the price that was used last
  double billionths_ = 0;  // whole ones, so their sum is exact up to nine million dollars
};

}  // namespace weft::query
