#include "weft/query/cost/priced_days.hpp"

namespace weft::query {

const Price* PricedDay::find_price(std::uint32_t number, const std::string& name,
                                   std::int64_t prompt, const PriceTable& prices) {
  if (rows_.size() <= number) rows_.resize(number + 1);
  auto& rows = rows_[number];
  if (!rows) rows = prices.rows_of(name, name_);
  const bool has_one = rows->size() == 1 && rows->front()->above == 0;
  return has_one ? rows->front() : price_for(*rows, prompt);
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
