// Millis is a moment: milliseconds since 1970 UTC, the only time in a thought.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

using Millis = std::int64_t;

// A date, perhaps with a time of day, as a clock on the wall shows it.
struct ClockTime {
  Millis wall = 0;                 // its moment if the clock shows UTC
  std::optional<Millis> offset{};  // of its zone, east of UTC; empty if it names none
  bool is_day = false;             // a date alone: `wall` is its midnight
};

// Reads ISO 8601 as transcripts write it: "2026-02-01T14:42:13.415318Z", with
// an offset ("+01:00", "+0100", "+01"), with a blank for the T, in lower case,
// with any number of fraction digits after a point or a comma or none, with no
// seconds, or with no zone (read as UTC). A date alone is its midnight. Finer
// digits are cut, not rounded, so that a moment never moves into the next
// millisecond; a leap second (23:59:60 UTC, and at no other time of day) is the
// last millisecond before it, for the same reason. Empty for anything else,
// impossible dates included.
std::optional<Millis> parse_iso8601(std::string_view text);
// The same before the zone is applied: typed/moment.hpp reads it in another one than UTC.
std::optional<ClockTime> parse_clock_time(std::string_view text);

// "2026-02-01T14:42:13.415Z". Years outside 0000-9999 are clamped.
std::string to_iso8601(Millis time);

}  // namespace weft
