// PricedDays: the day of each request in the zone of the asker, and its price on that day. Looks up
// prices once for each day and model.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "weft/query/cost/calendar.hpp"
#include "weft/query/cost/price_table.hpp"
#include "weft/store/tables/request_list.hpp"

namespace weft::query {

// A day, or an unknown one.
class PricedDay {
 public:
  explicit PricedDay(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }  // "2026-11-18"; empty if it is unknown
  // By the rules of weft: the whole request at the rates that the size of its prompt selects. Null
  // if its price is not known. `number` and `name` are those of the model.
  const Price* find_price(std::uint32_t number, const std::string& name, std::int64_t prompt,
                          const PriceTable& prices);

 private:
  std::string name_;
  std::vector<std::optional<std::vector<const Price*>>> rows_;  // by number of the model
};

class PricedDays {
 public:
  // The calendar outlives it.
  explicit PricedDays(const Calendar& calendar) : numbers_(calendar) {}

  // Holds as long as this.
  PricedDay& of(std::optional<Millis> time);

 private:
  DayNumbers numbers_;
  std::unordered_map<std::int64_t, PricedDay> days_;
  PricedDay unknown_{""};
  // Mostly the next request is of the same day.
  std::int64_t last_number_ = 0;
  PricedDay* last_ = nullptr;
};

}  // namespace weft::query
