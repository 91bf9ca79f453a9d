#include "weft/base/typed/moment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

namespace weft {
namespace {

// The rules of zones as POSIX writes them: a machine may have no zone files.
constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
constexpr const char* kTokyo = "JST-9";
constexpr const char* kStJohns = "NST3:30NDT,M3.2.0,M11.1.0";

// The zone of this process, while it lives.
class InZone {
 public:
  explicit InZone(const char* zone) {
    if (const char* old = std::getenv("TZ")) old_ = old;
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
  ~InZone() {
    if (old_) ::setenv("TZ", old_->c_str(), 1);
    else ::unsetenv("TZ");
    ::tzset();
  }
  InZone(const InZone&) = delete;
  InZone& operator=(const InZone&) = delete;

 private:
  std::optional<std::string> old_;
};

Millis utc(std::string_view text) { return parse_iso8601(text).value(); }

LocalClock clock_at(std::string_view now) {
  LocalClock clock = machine_clock();
  clock.now = utc(now);
  return clock;
}

// Both bounds, in UTC: one if they are the same.
std::string read(std::string_view text, const LocalClock& clock) {
  const auto since = parse_moment(text, Bound::since, clock);
  const auto until = parse_moment(text, Bound::until, clock);
  if (since.has_value() != until.has_value()) return "only one bound";
  if (!since) return "none";
  if (*since == *until) return to_iso8601(*since);
  return to_iso8601(*since) + " to " + to_iso8601(*until);
}

// A Wednesday, at noon in UTC.
LocalClock noon() { return {.now = utc("2026-11-18T12:00:00Z")}; }

TEST(UxB6, TimesAreReadInTheLocalZone) {
  const InZone zone(kTokyo);
  const LocalClock clock = clock_at("2026-11-18T12:00:00Z");
  EXPECT_EQ(read("2026-11-16T04:17:40", clock), "2026-11-15T19:17:40.000Z");
  EXPECT_EQ(read("2026-11-16 04:17:40.5", clock), "2026-11-15T19:17:40.500Z");
  EXPECT_EQ(read("2026-11-16", clock), "2026-11-15T15:00:00.000Z to 2026-11-16T14:59:59.999Z");
  EXPECT_EQ(read("2026-11-16T04:17:40Z", clock), "2026-11-16T04:17:40.000Z");
  EXPECT_EQ(read("2026-11-16T04:17:40+01:00", clock), "2026-11-16T03:17:40.000Z");
}

TEST(UxB6, ATimeOfDayIsTheLastOneThatTheClockShowed) {
  EXPECT_EQ(read("10:30", noon()), "2026-11-18T10:30:00.000Z");
  EXPECT_EQ(read("9:05:30", noon()), "2026-11-18T09:05:30.000Z");
  EXPECT_EQ(read("12:00", noon()), "2026-11-18T12:00:00.000Z");
  EXPECT_EQ(read("12:01", noon()), "2026-11-17T12:01:00.000Z");
  const InZone zone(kTokyo);  // 21:00 there
  EXPECT_EQ(read("20:59", clock_at("2026-11-18T12:00:00Z")), "2026-11-18T11:59:00.000Z");
  EXPECT_EQ(read("21:01", clock_at("2026-11-18T12:00:00Z")), "2026-11-17T12:01:00.000Z");
}

TEST(UxB6, DaysHaveNames) {
  EXPECT_EQ(read("now", noon()), "2026-11-18T12:00:00.000Z");
  EXPECT_EQ(read("Today", noon()), "2026-11-18T00:00:00.000Z to 2026-11-18T23:59:59.999Z");
  EXPECT_EQ(read("yesterday", noon()), "2026-11-17T00:00:00.000Z to 2026-11-17T23:59:59.999Z");
  EXPECT_EQ(read("yesterday 10:30", noon()), "2026-11-17T10:30:00.000Z");
  EXPECT_EQ(read("monday", noon()), "2026-11-16T00:00:00.000Z to 2026-11-16T23:59:59.999Z");
  EXPECT_EQ(read("Thu", noon()), "2026-11-12T00:00:00.000Z to 2026-11-12T23:59:59.999Z");
  EXPECT_EQ(read("wednesday", noon()), "2026-11-18T00:00:00.000Z to 2026-11-18T23:59:59.999Z");
  EXPECT_EQ(read("last wednesday", noon()), "2026-11-11T00:00:00.000Z to 2026-11-11T23:59:59.999Z");
  EXPECT_EQ(read("last  sun at 9:00", noon()), "2026-11-15T09:00:00.000Z");
}

TEST(UxB6, TimesMayBeSoLongAgo) {
  EXPECT_EQ(read("30m", noon()), "2026-11-18T11:30:00.000Z");
  EXPECT_EQ(read("12h", noon()), "2026-11-18T00:00:00.000Z");
  EXPECT_EQ(read("3d", noon()), "2026-11-15T12:00:00.000Z");
  EXPECT_EQ(read("2W", noon()), "2026-11-04T12:00:00.000Z");
  EXPECT_EQ(read("1mo", noon()), "2026-10-18T12:00:00.000Z");
  EXPECT_EQ(read("2y", noon()), "2024-11-18T12:00:00.000Z");
  EXPECT_EQ(read("2 weeks ago", noon()), "2026-11-04T12:00:00.000Z");
  EXPECT_EQ(read("3 days", noon()), "2026-11-15T12:00:00.000Z");
  EXPECT_EQ(read("an hour ago", noon()), "2026-11-18T11:00:00.000Z");
  // The last day of a shorter month.
  EXPECT_EQ(read("1mo", {.now = utc("2026-03-31T08:00:00Z")}), "2026-02-28T08:00:00.000Z");
  EXPECT_EQ(read("1y", {.now = utc("2024-02-29T08:00:00Z")}), "2023-02-28T08:00:00.000Z");
}

TEST(UxB6, WeeksMonthsAndYearsAreThoseOfTheCalendar) {
  EXPECT_EQ(read("this week", noon()), "2026-11-16T00:00:00.000Z to 2026-11-22T23:59:59.999Z");
  EXPECT_EQ(read("last week", noon()), "2026-11-09T00:00:00.000Z to 2026-11-15T23:59:59.999Z");
  EXPECT_EQ(read("last month", noon()), "2026-10-01T00:00:00.000Z to 2026-10-31T23:59:59.999Z");
  EXPECT_EQ(read("this year", noon()), "2026-01-01T00:00:00.000Z to 2026-12-31T23:59:59.999Z");
  EXPECT_EQ(read("last year", noon()), "2025-01-01T00:00:00.000Z to 2025-12-31T23:59:59.999Z");
  EXPECT_EQ(read("last month", {.now = utc("2026-01-31T08:00:00Z")}),
            "2025-12-01T00:00:00.000Z to 2025-12-31T23:59:59.999Z");
}

TEST(UxB6, ATimeThatTheClockSkippedIsTheEdgeOfTheSkip) {
  {
    const InZone zone(kBerlin);  // 2026-03-29 02:00 became 03:00
    const LocalClock clock = clock_at("2026-11-18T12:00:00Z");
    EXPECT_EQ(read("2026-03-29 02:30", clock),
              "2026-03-29T01:00:00.000Z to 2026-03-29T00:59:59.999Z");
    EXPECT_EQ(read("2026-03-29 01:59", clock), "2026-03-29T00:59:00.000Z");
    EXPECT_EQ(read("2026-03-29 03:00", clock), "2026-03-29T01:00:00.000Z");
    EXPECT_EQ(read("2026-03-29", clock), "2026-03-28T23:00:00.000Z to 2026-03-29T21:59:59.999Z");
  }
  const InZone zone(kStJohns);  // 2026-03-08 02:00 became 03:00
  EXPECT_EQ(read("2026-03-08 02:15", clock_at("2026-11-18T12:00:00Z")),
            "2026-03-08T05:30:00.000Z to 2026-03-08T05:29:59.999Z");
}

TEST(UxB6, ATimeThatTheClockShowedTwiceIsBoth) {
  const InZone zone(kBerlin);  // 2026-10-25 03:00 became 02:00
  const LocalClock clock = clock_at("2026-11-18T12:00:00Z");
  EXPECT_EQ(read("2026-10-25 02:30", clock),
            "2026-10-25T00:30:00.000Z to 2026-10-25T01:30:00.000Z");
  EXPECT_EQ(read("2026-10-25 01:59", clock), "2026-10-24T23:59:00.000Z");
  EXPECT_EQ(read("2026-10-25 03:00", clock), "2026-10-25T02:00:00.000Z");
  EXPECT_EQ(read("2026-10-25", clock), "2026-10-24T22:00:00.000Z to 2026-10-25T22:59:59.999Z");
}

TEST(UxB6, DaysAgoAreTheSameTimeOfDayAndHoursAgoAreHours) {
  const InZone zone(kBerlin);
  const LocalClock after = clock_at("2026-03-29T10:00:00Z");  // noon, in the summer
  EXPECT_EQ(read("1d", after), "2026-03-28T11:00:00.000Z");   // noon, in the winter
  EXPECT_EQ(read("24h", after), "2026-03-28T10:00:00.000Z");
  EXPECT_EQ(read("yesterday", after), "2026-03-27T23:00:00.000Z to 2026-03-28T22:59:59.999Z");
}

// Samoa had no 30 December 2011.
TEST(Moment, ADayThatDidNotHappenHasNoMoments) {
  const Millis change = utc("2011-12-30T10:00:00Z");
  const LocalClock clock{.now = utc("2012-01-05T00:00:00Z"), .zone = [change](Millis moment) {
                           return (moment < change ? -10 : 14) * 3'600'000LL;
                         }};
  EXPECT_EQ(parse_moment("2011-12-30", Bound::since, clock), change);
  EXPECT_EQ(parse_moment("2011-12-30", Bound::until, clock), change - 1);
  EXPECT_EQ(parse_moment("2011-12-31", Bound::since, clock), change);
}

TEST(Moment, IsNotAnythingElse) {
  for (const char* text : {"",
                           " ",
                           "at",
                           "ago",
                           "2026-13-01",
                           "2026-02-30",
                           "25:00",
                           "10:30pm",
                           "1030",
                           "someday",
                           "2 fortnights ago",
                           "last",
                           "last now",
                           "yesterday tomorrow",
                           "w",
                           "-2d",
                           "2.5h",
                           "99999d",
                           "9999y",
                           "10:30 yesterday",
                           "monday 9",
                           "this monday",
                           "next week",
                           "2026-10-01 10:30 x",
                           "1970-01-01T00:00:00+24:00"}) {
    EXPECT_EQ(read(text, noon()), "none") << text;
  }
  EXPECT_EQ(read(std::string(1'000'000, '1'), noon()), "none");
}

TEST(UxB6, TimesAreShownAsTheyAreRead) {
  const InZone zone(kStJohns);
  const LocalClock clock = clock_at("2026-11-18T12:00:00Z");
  const std::string shown = show_moment(utc("2026-07-01T12:00:05.5Z"), clock);
  EXPECT_EQ(shown, "2026-07-01 09:30:05");
  EXPECT_EQ(parse_moment(shown, Bound::since, clock), utc("2026-07-01T12:00:05Z"));
}

TEST(Moment, AnErrorNamesWhatWasTypedAndShowsWhatIsRead) {
  const std::string message = not_a_moment("2026-13-01");
  EXPECT_TRUE(message.starts_with("'2026-13-01' is not a time: expected 2026-10-01, ")) << message;
  for (const char* example : {"2026-10-01", "2026-10-01 14:30", "10:30", "yesterday", "monday",
                              "2w", "3 days ago", "last month", "2026-10-01T14:30:00Z"}) {
    EXPECT_TRUE(message.contains(example)) << example;
    EXPECT_NE(read(example, noon()), "none") << example;
  }
}

}  // namespace
}  // namespace weft
