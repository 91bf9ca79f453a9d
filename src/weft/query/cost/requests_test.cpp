#include "weft/query/cost/requests.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "weft/query/cost/calendar.hpp"

namespace weft::query {
namespace {

using store::ConversationRequests;
using store::RequestEntry;

RequestEntry request(std::uint64_t message, std::uint64_t id, std::int64_t cache_read,
                     bool is_sidechain = false) {
  return {.message = message,
          .request = id,
          .is_sidechain = is_sidechain,
          .tokens = {.cache_read = cache_read}};
}

ConversationRequests talk(std::string session, Millis at, std::vector<RequestEntry> requests) {
  ConversationRequests one{.requests = std::move(requests)};
  one.row.session_id = std::move(session);
  one.row.created_at = at;
  return one;
}

// A sidechain replays its parent's message under a request id of its own, then answers.
TEST(Requests, AReplayOfASidechainIsNoRequest) {
  for (const CopyRule rule : {CopyRule::first_holder, CopyRule::by_session}) {
    std::vector<ConversationRequests> all{
        talk("s", 2, {request(1, 11, 20, true), request(2, 12, 700, true)}),
        talk("s", 1, {request(1, 10, 20)})};
    drop_copies(all, rule);
    ASSERT_EQ(all[0].requests.size(), 1u);
    EXPECT_EQ(all[0].requests[0].tokens.cache_read, 700);
    ASSERT_EQ(all[1].requests.size(), 1u);
    EXPECT_EQ(all[1].requests[0].tokens.cache_read, 20);
  }
}

TEST(UxB4, ARequestThatAForkCopiedCountsAtItsFirstHolder) {
  std::vector<ConversationRequests> all{talk("fork", 2, {request(1, 10, 5), request(2, 20, 7)}),
                                        talk("origin", 1, {request(1, 10, 5)})};
  drop_copies(all, CopyRule::first_holder);
  ASSERT_EQ(all[0].requests.size(), 1u);
  EXPECT_EQ(all[0].requests[0].message, 2u);
  EXPECT_EQ(all[1].requests.size(), 1u);
}

TEST(Requests, AnotherRecordingWithoutTheNameOfTheRequestIsACopy) {
  std::vector<ConversationRequests> all{talk("stream", 1, {request(1, 0, 5)}),
                                        talk("file", 2, {request(1, 10, 5)})};
  drop_copies(all, CopyRule::first_holder);
  EXPECT_EQ(all[0].requests.size() + all[1].requests.size(), 1u);
}

TEST(Calendar, DaysAreThoseOfTheZone) {
  constexpr Millis kHour = 3'600'000;
  Calendar tokyo{.zone = "Asia/Tokyo", .offset = [](Millis) { return 9 * kHour; }};
  const Millis evening = *parse_iso8601("2026-11-15T20:00:00Z");  // a Sunday
  EXPECT_EQ(Calendar().day(evening), "2026-11-15");
  EXPECT_EQ(tokyo.day(evening), "2026-11-16");
  EXPECT_EQ(Calendar().week(evening), "2026-11-09");
  EXPECT_EQ(tokyo.week(evening), "2026-11-16");
  EXPECT_EQ(tokyo.month(evening), "2026-11");
  EXPECT_EQ(Calendar().week(-1), "1969-12-29");
}

// On a day on which the clocks change, and beyond every zone.
TEST(Calendar, NumbersOfDaysAreThoseOfTheZone) {
  constexpr Millis kHour = 3'600'000;
  const Millis change = *parse_iso8601("2026-03-29T01:00:00Z");
  const Calendar berlin{.zone = "Europe/Berlin",
                        .offset = [=](Millis at) { return (at < change ? 1 : 2) * kHour; }};
  DayNumbers numbers(berlin);
  for (const std::string_view text :
       {"2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T00:59:59Z",
        "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z", "1969-12-31T22:59:59Z"}) {
    const Millis time = *parse_iso8601(text);
    EXPECT_EQ(day_name(numbers.of(time)), berlin.day(time)) << text;
  }
  EXPECT_GT(numbers.of(std::numeric_limits<Millis>::max()), 0);
  EXPECT_LT(numbers.of(std::numeric_limits<Millis>::min()), 0);
}

}  // namespace
}  // namespace weft::query
