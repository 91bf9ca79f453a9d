#include "weft/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace weft {
namespace {

namespace chrono = std::chrono;

constexpr Millis kSecond = 1000;
constexpr Millis kMinute = 60 * kSecond;
constexpr Millis kHour = 60 * kMinute;
constexpr Millis kDay = 24 * kHour;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes what it reads off the front of a text, and takes nothing where it
// fails.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  bool take_any_of(std::string_view chars) {
    if (rest_.empty() || !chars.contains(rest_.front())) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `digits` digits, up to `max` in value.
  std::optional<int> take_number(std::size_t digits, int max) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(rest_[i])) return std::nullopt;
      value = 10 * value + (rest_[i] - '0');
    }
    if (value > max) return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }

  // One digit or more of a fraction of a second; those after the third are cut.
  std::optional<Millis> take_fraction() {
    Millis value = 0;
    std::size_t count = 0;
    for (; count < rest_.size() && is_digit(rest_[count]); ++count) {
      if (count < 3) value = 10 * value + (rest_[count] - '0');
    }
    if (count == 0) return std::nullopt;
    for (std::size_t i = count; i < 3; ++i) value *= 10;
    rest_.remove_prefix(count);
    return value;
  }

 private:
  std::string_view rest_;  // of the text given, which outlives this
};

std::optional<Millis> take_date(Scanner& scan) {
  const auto year = scan.take_number(4, 9999);
  if (!year || !scan.take_any_of("-")) return std::nullopt;
  const auto month = scan.take_number(2, 12);
  if (!month || !scan.take_any_of("-")) return std::nullopt;
  const auto day = scan.take_number(2, 31);
  if (!day) return std::nullopt;
  const chrono::year_month_day date(chrono::year(*year),
                                    chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return chrono::sys_days(date).time_since_epoch().count() * kDay;
}

struct TimeOfDay {
  Millis millis = 0;
  bool leap_second = false;
};

std::optional<TimeOfDay> take_time(Scanner& scan) {
  const auto hour = scan.take_number(2, 23);
  if (!hour || !scan.take_any_of(":")) return std::nullopt;
  const auto minute = scan.take_number(2, 59);
  if (!minute) return std::nullopt;
  TimeOfDay time{.millis = *hour * kHour + *minute * kMinute};
  if (!scan.take_any_of(":")) return time;
  const auto second = scan.take_number(2, 60);
  if (!second) return std::nullopt;
  Millis fraction = 0;
  if (scan.take_any_of(".,")) {
    const auto digits = scan.take_fraction();
    if (!digits) return std::nullopt;
    fraction = *digits;
  }
  time.leap_second = *second == 60;
  time.millis += time.leap_second ? kMinute - 1 : *second * kSecond + fraction;
  return time;
}

// The zone's distance from UTC. False if it is not a zone; none is one.
bool take_zone(Scanner& scan, std::optional<Millis>& offset) {
  if (scan.done()) return true;
  offset = 0;
  if (scan.take_any_of("Zz")) return true;
  const bool east = scan.take_any_of("+");
  if (!east && !scan.take_any_of("-")) return false;
  const auto hours = scan.take_number(2, 23);
  if (!hours) return false;
  Millis distance = *hours * kHour;
  const bool colon = scan.take_any_of(":");
  if (colon || !scan.done()) {
    const auto minutes = scan.take_number(2, 59);
    if (!minutes) return false;
    distance += *minutes * kMinute;
  }
  offset = east ? distance : -distance;
  return true;
}

}  // namespace

std::optional<ClockTime> parse_clock_time(std::string_view text) {
  Scanner scan(text);
  const auto date = take_date(scan);
  if (!date) return std::nullopt;
  ClockTime out{.wall = *date, .is_day = scan.done()};
  if (out.is_day) return out;
  if (!scan.take_any_of("Tt ")) return std::nullopt;
  const auto time = take_time(scan);
  if (!time || !take_zone(scan, out.offset) || !scan.done()) return std::nullopt;
  out.wall += time->millis;
  const bool ends_a_day = (out.wall - out.offset.value_or(0) + 1) % kDay == 0;
  if (time->leap_second && !ends_a_day) return std::nullopt;
  return out;
}

std::optional<Millis> parse_iso8601(std::string_view text) {
  const std::optional<ClockTime> time = parse_clock_time(text);
  if (!time) return std::nullopt;
  return time->wall - time->offset.value_or(0);
}

std::string to_iso8601(Millis time) {
  constexpr chrono::sys_days kFirst = chrono::year(0) / 1 / 1;
  constexpr chrono::sys_days kEnd = chrono::year(10000) / 1 / 1;
  constexpr Millis kFirstMillis = kFirst.time_since_epoch().count() * kDay;
  constexpr Millis kEndMillis = kEnd.time_since_epoch().count() * kDay;
  const chrono::sys_time<chrono::milliseconds> moment(
      chrono::milliseconds(std::clamp(time, kFirstMillis, kEndMillis - 1)));
  const auto day = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(moment - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

}  // namespace weft
