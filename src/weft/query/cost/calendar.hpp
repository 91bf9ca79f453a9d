// Calendar: days, weeks and months in the zone of the reader.
#pragma once

#include <functional>
#include <string>

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

// The zone of this machine (TZ).
Calendar machine_calendar();

}  // namespace weft::query
