#include "weft/query/cost/requests.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <tuple>

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

// What counts of conversations that come in this order, and of how many requests.
std::vector<RequestEntry> counted(std::vector<ConversationRequests> oldest_first,
                                  CopyRule rule = CopyRule::first_holder) {
  std::vector<RequestEntry> out;
  CountedOnce once(rule);
  const auto add = [&](const ConversationRequests& one) {
    out.insert(out.end(), one.requests.begin(), one.requests.end());
  };
  for (ConversationRequests& one : oldest_first) {
    once.sift(one);
    add(one);
  }
  for (const ConversationRequests& one : once.take_rest()) add(one);
  return out;
}

// A sidechain replays its parent's message under a request id of its own, then answers.
TEST(Requests, AReplayOfASidechainIsNoRequest) {
  const auto parent = talk("s", 1, {request(1, 10, 20)});
  const auto sidechain = talk("s", 2, {request(1, 11, 20, true), request(2, 12, 700, true)});
  for (const CopyRule rule : {CopyRule::first_holder, CopyRule::by_session}) {
    for (const auto& order : {std::vector{parent, sidechain}, std::vector{sidechain, parent}}) {
      EXPECT_EQ(counted(order, rule), (std::vector{request(1, 10, 20), request(2, 12, 700, true)}));
    }
  }
}

TEST(UxB4, ARequestThatAForkCopiedCountsAtItsFirstHolder) {
  const auto origin = talk("origin", 1, {request(1, 10, 5)});
  const auto fork = talk("fork", 2, {request(1, 10, 5), request(2, 20, 7)});
  EXPECT_EQ(counted({origin, fork}), (std::vector{request(1, 10, 5), request(2, 20, 7)}));
  // ccusage does not see that.
  EXPECT_EQ(counted({origin, fork}, CopyRule::by_session).size(), 3u);
}

TEST(Requests, AnotherRecordingWithoutTheNameOfTheRequestIsACopy) {
  const auto stream = talk("stream", 1, {request(1, 0, 5)});
  const auto file = talk("file", 2, {request(1, 10, 5)});
  EXPECT_EQ(counted({stream, file}), std::vector{request(1, 10, 5)});
  EXPECT_EQ(counted({file, stream}), std::vector{request(1, 10, 5)});
}

// By the rule alone: first what has a name of its own, each at its first holder, then the rest if
// its message was not counted.
std::multiset<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>> counted_slowly(
    const std::vector<ConversationRequests>& oldest_first) {
  std::multiset<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>> out;
  std::set<std::pair<std::uint64_t, std::uint64_t>> names;
  std::set<std::uint64_t> messages;
  for (const bool repeats : {false, true}) {
    for (const ConversationRequests& one : oldest_first) {
      for (const RequestEntry& entry : one.requests) {
        if ((entry.is_sidechain || entry.request == 0) != repeats) continue;
        if (repeats ? messages.contains(entry.message) : !names.insert(entry.key()).second)
          continue;
        messages.insert(entry.message);
        out.emplace(entry.message, entry.request, entry.tokens.cache_read);
      }
    }
  }
  return out;
}

TEST(Requests, AreCountedAsTheRuleSaysWhateverOrderTheyComeIn) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  for (int round = 0; round < 300; ++round) {
    std::vector<ConversationRequests> talks;
    const std::uint64_t messages = 1 + below(60);
    for (std::uint64_t i = 0; i < 1 + below(6); ++i) {
      std::vector<RequestEntry> requests;
      // Within a conversation, no name comes twice.
      std::set<std::pair<std::uint64_t, std::uint64_t>> names;
      for (std::uint64_t left = below(40); left > 0; --left) {
        const RequestEntry entry = request(
            below(messages), below(3), static_cast<std::int64_t>(below(1'000'000)), below(4) == 0);
        if (names.insert(entry.key()).second) requests.push_back(entry);
      }
      talks.push_back(talk(std::to_string(i), static_cast<Millis>(i), std::move(requests)));
    }
    const auto slow = counted_slowly(talks);
    std::multiset<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>> fast;
    for (const RequestEntry& entry : counted(std::move(talks))) {
      fast.emplace(entry.message, entry.request, entry.tokens.cache_read);
    }
    ASSERT_EQ(fast, slow) << "round " << round;
  }
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
