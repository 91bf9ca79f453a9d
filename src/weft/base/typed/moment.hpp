// Reads times as people type them, in their own zone.
//
//   2026-10-01                         a day
//   2026-10-01 14:30  2026-10-01T14:30:00.5
//   2026-10-01T14:30:00Z  …+02:00      in the zone that it names
//   10:30  9:05:30                     the last time that the clock showed it: today or yesterday
//   now  today  yesterday  monday  mon the last such day, which may be today
//   yesterday 10:30  monday at 9:00
//   30m  12h  3d  2w  1mo  1y          so long ago; m are minutes
//   2 weeks ago  an hour ago  3 days
//   this week  last month  last friday weeks begin on Monday; last friday is before today
//
// Case and repeated blanks do not matter. Days, weeks, months and years ago are counted on the
// calendar, so `1d` is the same time yesterday, also when the clocks changed in between.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/time.hpp"

namespace weft {

// A zone: its distance from UTC at a moment, to the east. Empty: UTC.
using Zone = std::function<Millis(Millis moment)>;

// The clock of the person who asks.
struct LocalClock {
  Millis now = 0;
  Zone zone{};
};
// The time and the zone (TZ) of this machine.
LocalClock machine_clock();

// A day, a week or a month is many moments: a question from it on asks for its first moment, a
// question up to it for its last. So it is with a time that the clock showed twice when it was set
// back. A time that was skipped when the clock was set forward is the moment after the skip, or the
// one before it.
enum class Bound { since, until };

// Empty if it is not a time, or not one in the years 0 to 9999.
std::optional<Millis> parse_moment(std::string_view text, Bound bound, const LocalClock& clock);

// "2026-10-01 14:30:00" in the zone of the clock.
std::string show_moment(Millis moment, const LocalClock& clock);

// What to answer if it is not a time: "'2026-13-01' is not a time: expected …".
std::string not_a_moment(std::string_view text);

}  // namespace weft
