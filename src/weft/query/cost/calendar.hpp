// Calendar: days, weeks and months in the zone of the reader.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "weft/base/time.hpp"

namespace weft::query {

struct Calendar {
  std::string zone = "UTC";  // its name, for the answer
  // The distance from UTC at a moment, to the east. Empty: UTC.
  std::function<Millis(Millis moment)> offset{};

  std::string day(Millis time) const;    // "2026-11-18"
  std::string week(Millis time) const;   // the Monday that it begins with
  std::string month(Millis time) const;  // "2026-11"
};

// A day by its number since 1970: "2026-11-18".
std::string day_name(std::int64_t number);

// The days of many moments: asks a calendar for the distance from UTC twice for each day of UTC.
class DayNumbers {
 public:
  explicit DayNumbers(const Calendar& calendar) : calendar_(calendar) {}

  // Days since 1970 in the calendar's zone.
  std::int64_t of(Millis time) { return time >= begin_ && time < end_ ? last_ : find(time); }

 private:
  std::int64_t find(Millis time);

  const Calendar& calendar_;
  // By days of UTC; empty on a day on which it changes.
  std::unordered_map<std::int64_t, std::optional<Millis>> offsets_;
  // Mostly the next moment is of the same day: one between these two has the last number.
  Millis begin_ = 0, end_ = 0;
  std::int64_t last_ = 0;
};

// The zone of this machine (TZ).
Calendar machine_calendar();

}  // namespace weft::query
