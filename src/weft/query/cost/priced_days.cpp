#include "weft/query/cost/priced_days.hpp"

namespace weft::query {

std::optional<double> PricedDay::price_of(const store::RequestEntry& request,
                                          const std::string& model, const PriceTable& prices) {
  if (rows_.size() <= request.model) rows_.resize(request.model + 1);
  auto& rows = rows_[request.model];
  if (!rows) rows = prices.rows_of(model, name_);
  const Price* price = price_for(*rows, prompt_size(request.tokens));
  if (price != nullptr) return cost_of(request.tokens, *price);
  if (request.stated_cost) return static_cast<double>(*request.stated_cost) / 1e9;
  return std::nullopt;
}

PricedDay& PricedDays::of(std::optional<Millis> time) {
  if (!time) return unknown_;
  const std::int64_t number = numbers_.of(*time);
  if (last_ != nullptr && number == last_number_) return *last_;
  last_number_ = number;
  const auto found = days_.find(number);
  if (found != days_.end()) return *(last_ = &found->second);
  return *(last_ = &days_.try_emplace(number, day_name(number)).first->second);
}

}  // namespace weft::query
