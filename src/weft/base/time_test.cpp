#include "weft/base/time.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

namespace weft {
namespace {

constexpr Millis kDay = 86'400'000;
constexpr Millis kNoon = 1'769'947'200'000;  // 2026-02-01T12:00:00Z

TEST(ParseIso8601, ReadsTheFormsThatTranscriptsWrite) {
  EXPECT_EQ(parse_iso8601("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00Z"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00.000Z"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00.415318Z"), kNoon + 415);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00.4Z"), kNoon + 400);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00,041Z"), kNoon + 41);
  EXPECT_EQ(parse_iso8601("2026-02-01 12:00:00"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01t12:00:00z"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00Z"), kNoon);
}

TEST(ParseIso8601, TakesNoZoneAsUtcSoThatTheSameFileReadsTheSameEverywhere) {
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00.5"), kNoon + 500);
}

TEST(ParseIso8601, TakesADateAloneAsItsMidnight) {
  EXPECT_EQ(parse_iso8601("2026-02-01"), kNoon - kDay / 2);
  EXPECT_EQ(parse_iso8601("1969-12-31"), -kDay);
}

TEST(ParseIso8601, SubtractsTheOffsetInEachOfItsSpellings) {
  EXPECT_EQ(parse_iso8601("2026-02-01T13:00:00+01:00"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01T13:00:00+0100"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01T13:00:00+01"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-01T06:30:00.25-05:30"), kNoon + 250);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00-00:00"), kNoon);
  EXPECT_EQ(parse_iso8601("2026-02-02T02:00:00+14:00"),
            kNoon);  // the day before, in UTC
}

TEST(ParseIso8601, CutsFinerDigitsSoThatAMomentNeverMovesIntoTheNextMillisecond) {
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00.999999999Z"), kNoon + 999);
  EXPECT_EQ(parse_iso8601("2026-02-01T12:00:00." + std::string(1000, '9') + "Z"), kNoon + 999);
  EXPECT_EQ(parse_iso8601("1969-12-31T23:59:59.9999Z"), -1);
}

TEST(ParseIso8601, KnowsLeapYears) {
  EXPECT_EQ(parse_iso8601("2024-02-29"), *parse_iso8601("2024-02-28") + kDay);
  EXPECT_TRUE(parse_iso8601("2000-02-29"));
  EXPECT_FALSE(parse_iso8601("1900-02-29"));
  EXPECT_FALSE(parse_iso8601("2026-02-29"));
}

TEST(ParseIso8601, PutsALeapSecondInTheMillisecondBeforeItSoThatItStaysInItsDay) {
  const Millis midnight = *parse_iso8601("2017-01-01");
  EXPECT_EQ(parse_iso8601("2016-12-31T23:59:60Z"), midnight - 1);
  EXPECT_EQ(parse_iso8601("2016-12-31T23:59:60.75Z"), midnight - 1);
  EXPECT_EQ(parse_iso8601("2017-01-01T05:29:60+05:30"), midnight - 1);
  EXPECT_FALSE(parse_iso8601("2016-12-31T12:30:60Z"));
  EXPECT_FALSE(parse_iso8601("2016-12-31T23:59:60+01:00"));
  EXPECT_FALSE(parse_iso8601("2016-12-31T23:59:61Z"));
}

TEST(ParseIso8601, RefusesImpossibleMoments) {
  for (const char* text : {"2026-00-01", "2026-13-01", "2026-01-00", "2026-01-32", "2026-04-31",
                           "2026-02-01T24:00:00Z", "2026-02-01T12:60:00Z",
                           "2026-02-01T12:00:00+24:00", "2026-02-01T12:00:00+01:60"}) {
    EXPECT_EQ(parse_iso8601(text), std::nullopt) << text;
  }
}

TEST(ParseIso8601, RefusesWhatIsNearlyATimeSoThatNoDigitIsIgnored) {
  for (const char* text : {"",
                           "2026",
                           "2026-02",
                           "2026-2-1",
                           "26-02-01",
                           "20260201",
                           "2026/02/01",
                           "2026-02-01T",
                           "2026-02-01T12",
                           "2026-02-01T12:",
                           "2026-02-01T12:00:",
                           "2026-02-01T12:00:0",
                           "2026-02-01T12:00:00.",
                           "2026-02-01T12:00:00.Z",
                           "2026-02-01T12:00:00ZZ",
                           "2026-02-01T12:00:00Z ",
                           " 2026-02-01",
                           "2026-02-01Z",
                           "2026-02-01+01:00",
                           "2026-02-01T12:00:00+",
                           "2026-02-01T12:00:00+1",
                           "2026-02-01T12:00:00+01:",
                           "2026-02-01T12:00:00+01:0",
                           "2026-02-01T12:00:00+010",
                           "2026-02-01T12:00:00+01:00:00",
                           "2026-02-01T12:00:00 CET",
                           "+2026-02-01",
                           "-2026-02-01",
                           "12026-02-01",
                           "1738417334720",
                           "yesterday"}) {
    EXPECT_EQ(parse_iso8601(text), std::nullopt) << text;
  }
}

TEST(ToIso8601, WritesMillisecondsAndZ) {
  EXPECT_EQ(to_iso8601(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_iso8601(kNoon + 5), "2026-02-01T12:00:00.005Z");
  EXPECT_EQ(to_iso8601(-1), "1969-12-31T23:59:59.999Z");
}

TEST(ToIso8601, ClampsYearsThatFourDigitsCannotHold) {
  EXPECT_EQ(to_iso8601(std::numeric_limits<Millis>::max()), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(to_iso8601(std::numeric_limits<Millis>::min()), "0000-01-01T00:00:00.000Z");
  // An offset can lead out of the years that can be written.
  EXPECT_EQ(to_iso8601(*parse_iso8601("0000-01-01T00:00:00+01:00")), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(to_iso8601(*parse_iso8601("9999-12-31T23:59:59-01:00")), "9999-12-31T23:59:59.999Z");
}

TEST(ToIso8601, IsReadBackToTheSameMillisecond) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<Millis> moments(*parse_iso8601("0000-01-01"),
                                                *parse_iso8601("9999-12-31T23:59:59.999Z"));
  for (int i = 0; i < 100'000; ++i) {
    const Millis moment = moments(random);
    ASSERT_EQ(parse_iso8601(to_iso8601(moment)), moment);
  }
}

}  // namespace
}  // namespace weft
