#include "weft/formats/reading/arrival_times.hpp"

#include <algorithm>

namespace weft::formats {

ArrivalTimes::ArrivalTimes(const json::value& times) {
  const json::array* list = times.if_array();
  if (list == nullptr) return;
  for (const json::value& value : *list) {
    const json::array* pair = value.if_array();
    const bool is_pair = pair != nullptr && pair->size() == 2 && (*pair)[0].is_int64() &&
                         (*pair)[1].is_int64() && (*pair)[0].get_int64() >= 0;
    const auto offset = is_pair ? static_cast<std::size_t>((*pair)[0].get_int64()) : 0;
    if (!is_pair || (!times_.empty() && offset < times_.back().first)) {
      times_.clear();
      return;
    }
    times_.emplace_back(offset, (*pair)[1].get_int64());
  }
}

std::optional<Millis> ArrivalTimes::at(std::size_t offset) const {
  const auto after =
      std::ranges::upper_bound(times_, offset, {}, &std::pair<std::size_t, Millis>::first);
  if (after == times_.begin()) return std::nullopt;
  return std::prev(after)->second;
}

Arrival ArrivalTimes::of(std::size_t offset, std::size_t size) const {
  return {at(offset), at(size == 0 ? offset : offset + size - 1)};
}

Arrival ArrivalTimes::all() const {
  if (times_.empty()) return {};
  return {times_.front().second, times_.back().second};
}

}  // namespace weft::formats
