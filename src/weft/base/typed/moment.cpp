// A typed time is read as a span on the wall: the first and the last time that a local clock shows
// in it. The span's end that is asked for then becomes a moment.
#include "weft/base/typed/moment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <vector>

#include "weft/base/ascii.hpp"

namespace weft {
namespace {

namespace chrono = std::chrono;

constexpr Millis kSecondMillis = 1000;
constexpr Millis kDayMillis = 24 * 60 * 60 * kSecondMillis;

// --- the zone ------------------------------------------------------------------------------

Millis offset_at(const LocalClock& clock, Millis moment) {
  return clock.zone ? clock.zone(moment) : 0;
}

// The moment when the zone changed from `before`, between two moments around one change.
Millis change_between(const LocalClock& clock, Millis low, Millis high, Millis before) {
  while (low < high) {
    const Millis middle = low + (high - low) / 2;
    if (offset_at(clock, middle) == before) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The moment when a local clock shows `wall`. A zone changes at most once in two days.
Millis moment_of(Millis wall, Bound bound, const LocalClock& clock) {
  const Millis before = offset_at(clock, wall - kDayMillis);
  const Millis after = offset_at(clock, wall + kDayMillis);
  const Millis early = wall - std::max(before, after);
  const Millis late = wall - std::min(before, after);
  const auto shows = [&](Millis moment) { return moment + offset_at(clock, moment) == wall; };
  if (shows(early) && shows(late)) return bound == Bound::since ? early : late;
  if (shows(early)) return early;
  if (shows(late)) return late;
  const Millis change = change_between(clock, early, late, before);
  return bound == Bound::since ? change : change - 1;
}

// --- the calendar --------------------------------------------------------------------------

// Both included. Exact moments need no zone any more.
struct WallSpan {
  Millis first = 0, last = 0;
  bool is_exact = false;
};

WallSpan one(Millis wall) { return {.first = wall, .last = wall}; }
WallSpan days_from(Millis first, Millis days) {
  return {.first = first, .last = first + days * kDayMillis - 1};
}

Millis midnight(Millis wall) {
  const Millis rest = wall % kDayMillis;
  return wall - (rest < 0 ? rest + kDayMillis : rest);
}

chrono::year_month_day date_of(Millis wall) {
  return chrono::sys_days(chrono::days(midnight(wall) / kDayMillis));
}

Millis midnight_of(const chrono::year_month_day& date) {
  return chrono::sys_days(date).time_since_epoch().count() * kDayMillis;
}

// The same day of an earlier month, or its last day.
Millis months_before(Millis wall, int months) {
  chrono::year_month_day date = date_of(wall) - chrono::months(months);
  if (!date.ok()) date = date.year() / date.month() / chrono::last;
  return midnight_of(date) + (wall - midnight(wall));
}

// Monday is 0.
Millis weekday_of(Millis wall) {
  return chrono::weekday(chrono::sys_days(date_of(wall))).iso_encoding() - 1;
}

// --- the words -----------------------------------------------------------------------------

enum class Unit { second, minute, hour, day, week, month, year };

struct UnitName {
  Unit unit;
  std::string_view names;  // a blank around each
};
constexpr auto kUnits = std::to_array<UnitName>({
    {Unit::second, " s sec secs second seconds "},
    {Unit::minute, " m min mins minute minutes "},
    {Unit::hour, " h hr hrs hour hours "},
    {Unit::day, " d day days "},
    {Unit::week, " w wk week weeks "},
    {Unit::month, " mo month months "},
    {Unit::year, " y yr year years "},
});
constexpr auto kWeekdays = std::to_array<std::string_view>(
    {" mon monday ", " tue tues tuesday ", " wed wednesday ", " thu thur thurs thursday ",
     " fri friday ", " sat saturday ", " sun sunday "});

bool is_among(std::string_view word, std::string_view names) {
  return names.contains(" " + std::string(word) + " ");
}

std::optional<Unit> unit_called(std::string_view word) {
  const auto* found = std::ranges::find_if(
      kUnits, [&](const UnitName& unit) { return is_among(word, unit.names); });
  if (found == kUnits.end()) return std::nullopt;
  return found->unit;
}

std::optional<Millis> weekday_called(std::string_view word) {
  const auto* found = std::ranges::find_if(
      kWeekdays, [&](std::string_view names) { return is_among(word, names); });
  if (found == kWeekdays.end()) return std::nullopt;
  return found - kWeekdays.begin();
}

// A whole number of at most four digits, or "a" for one.
std::optional<int> number_called(std::string_view word) {
  constexpr std::size_t kMaxDigits = 4;
  if (word == "a" || word == "an" || word == "one") return 1;
  if (word.empty() || word.size() > kMaxDigits) return std::nullopt;
  int value = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

// "10:30", "9:05:30" from midnight.
std::optional<Millis> time_of_day(std::string_view word) {
  const std::string padding = word.size() > 1 && word[1] == ':' ? "0" : "";
  const std::optional<ClockTime> time =
      parse_clock_time("1970-01-01T" + padding + std::string(word));
  if (!time || time->offset) return std::nullopt;
  return time->wall;
}

class MomentParser {
 public:
  explicit MomentParser(const LocalClock& clock)
      : clock_(clock), wall_now_(clock.now + offset_at(clock, clock.now)) {}

  std::optional<WallSpan> parse(std::string_view text) const {
    std::vector<std::string> words = words_in(text);
    if (words.empty()) return std::nullopt;
    std::string joined;
    for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
    if (const auto time = parse_clock_time(joined)) return of_clock_time(*time);
    std::erase(words, "at");
    if (auto span = parse_ago(words)) return span;
    if (auto span = parse_period(words)) return span;
    return parse_day(words);
  }

 private:
  static std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : to_lower(text)) {
      const bool blank = c == ' ' || c == '\t';
      if (!blank && !inside) words.emplace_back();
      if (!blank) words.back() += c;
      inside = !blank;
    }
    return words;
  }

  static WallSpan of_clock_time(const ClockTime& time) {
    if (time.is_day) return days_from(time.wall, 1);
    WallSpan span = one(time.wall - time.offset.value_or(0));
    span.is_exact = time.offset.has_value();
    return span;
  }

  // "2w", "2 weeks", "2 weeks ago"
  std::optional<WallSpan> parse_ago(std::vector<std::string> words) const {
    if (words.size() > 1 && words.back() == "ago") words.pop_back();
    if (words.size() == 1) {
      const std::size_t digits = words[0].find_first_not_of("0123456789");
      if (digits == std::string::npos || digits == 0) return std::nullopt;
      words.push_back(words[0].substr(digits));
      words[0].resize(digits);
    }
    if (words.size() != 2) return std::nullopt;
    const std::optional<int> amount = number_called(words[0]);
    const std::optional<Unit> unit = unit_called(words[1]);
    if (!amount || !unit) return std::nullopt;
    return ago(*amount, *unit);
  }

  WallSpan ago(int amount, Unit unit) const {
    const auto exact = [&](Millis length) {
      return WallSpan{clock_.now - amount * length, clock_.now - amount * length, true};
    };
    switch (unit) {
      case Unit::second: return exact(kSecondMillis);
      case Unit::minute: return exact(60 * kSecondMillis);
      case Unit::hour: return exact(60 * 60 * kSecondMillis);
      case Unit::day: return one(wall_now_ - amount * kDayMillis);
      case Unit::week: return one(wall_now_ - 7 * amount * kDayMillis);
      case Unit::month: return one(months_before(wall_now_, amount));
      case Unit::year: return one(months_before(wall_now_, 12 * amount));
    }
    return exact(0);
  }

  // "this week", "last month"
  std::optional<WallSpan> parse_period(const std::vector<std::string>& words) const {
    if (words.size() != 2 || (words[0] != "this" && words[0] != "last")) return std::nullopt;
    const std::optional<Unit> unit = unit_called(words[1]);
    if (!unit) return std::nullopt;
    const int back = words[0] == "last" ? 1 : 0;
    const Millis today = midnight(wall_now_);
    if (*unit == Unit::day) return days_from(today - back * kDayMillis, 1);
    if (*unit == Unit::week) {
      return days_from(today - (weekday_of(today) + 7 * back) * kDayMillis, 7);
    }
    if (*unit != Unit::month && *unit != Unit::year) return std::nullopt;
    const chrono::year_month_day date = date_of(today);
    const int months = *unit == Unit::month ? 1 : 12;
    const chrono::month month = *unit == Unit::month ? date.month() : chrono::January;
    const Millis first = midnight_of(date.year() / month / 1);
    const Millis begin = months_before(first, back * months);
    return WallSpan{.first = begin, .last = months_before(begin, -months) - 1};
  }

  // "now", "10:30", "yesterday", "last monday 9:00"
  std::optional<WallSpan> parse_day(const std::vector<std::string>& words) const {
    if (words.empty()) return std::nullopt;
    if (words.size() == 1 && words[0] == "now") return WallSpan{clock_.now, clock_.now, true};
    if (const auto time = time_of_day(words[0]); time && words.size() == 1) {
      const Millis wall = midnight(wall_now_) + *time;
      return one(wall > wall_now_ ? wall - kDayMillis : wall);
    }
    std::size_t used = 0;
    const std::optional<Millis> day = find_day(words, used);
    if (!day) return std::nullopt;
    if (used == words.size()) return days_from(*day, 1);
    const std::optional<Millis> time = time_of_day(words[used]);
    if (!time || used + 1 != words.size()) return std::nullopt;
    return one(*day + *time);
  }

  // The midnight of the day that the first words name, and how many they are.
  std::optional<Millis> find_day(const std::vector<std::string>& words, std::size_t& used) const {
    const Millis today = midnight(wall_now_);
    const bool is_last = words[0] == "last" && words.size() > 1;
    const std::string& name = words[is_last ? 1 : 0];
    used = is_last ? 2 : 1;
    if (const auto weekday = weekday_called(name)) {
      const Millis back = (weekday_of(today) - *weekday + 7) % 7;
      return today - (is_last && back == 0 ? 7 : back) * kDayMillis;
    }
    if (is_last) return std::nullopt;
    if (name == "today") return today;
    if (name == "yesterday") return today - kDayMillis;
    return std::nullopt;
  }

  const LocalClock& clock_;
  Millis wall_now_;
};

bool is_in_calendar(Millis moment) {
  constexpr chrono::sys_days kFirst = chrono::year(0) / 1 / 1;
  constexpr chrono::sys_days kEnd = chrono::year(10000) / 1 / 1;
  return moment >= kFirst.time_since_epoch().count() * kDayMillis &&
         moment < kEnd.time_since_epoch().count() * kDayMillis;
}

}  // namespace

LocalClock machine_clock() {
  const auto since_1970 = chrono::system_clock::now().time_since_epoch();
  return {.now = chrono::duration_cast<chrono::milliseconds>(since_1970).count(),
          .zone = [](Millis moment) -> Millis {
            const std::time_t seconds = static_cast<std::time_t>(
                chrono::floor<chrono::seconds>(chrono::milliseconds(moment)).count());
            std::tm parts{};
            if (::localtime_r(&seconds, &parts) == nullptr) return 0;
            return parts.tm_gmtoff * kSecondMillis;
          }};
}

std::optional<Millis> parse_moment(std::string_view text, Bound bound, const LocalClock& clock) {
  constexpr std::size_t kLongestTime = 100;  // a longer text is not one
  if (text.size() > kLongestTime) return std::nullopt;
  const std::optional<WallSpan> span = MomentParser(clock).parse(text);
  if (!span) return std::nullopt;
  const Millis wall = bound == Bound::since ? span->first : span->last;
  if (!is_in_calendar(wall)) return std::nullopt;
  return span->is_exact ? wall : moment_of(wall, bound, clock);
}

std::string show_moment(Millis moment, const LocalClock& clock) {
  constexpr std::size_t kToSeconds = std::string_view("2026-10-01 14:30:00").size();
  std::string text = to_iso8601(moment + offset_at(clock, moment)).substr(0, kToSeconds);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::string not_a_moment(std::string_view text) {
  return "'" + std::string(text) +
         "' is not a time: expected 2026-10-01, '2026-10-01 14:30', 10:30, yesterday, monday, 2w, "
         "'3 days ago' or 'last month' (local time), or 2026-10-01T14:30:00Z";
}

}  // namespace weft
