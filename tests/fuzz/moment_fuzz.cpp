// Any text: a typed time or none. Case and blanks do not matter, a bound of a span is never before
// the other, but for a time that the clock skipped, and an exact time is the same in every zone.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "weft/base/typed/moment.hpp"

namespace {

using namespace weft;

void require(bool holds) {
  if (!holds) std::abort();
}

constexpr Millis kHour = 60 * 60 * 1000;
constexpr Millis kNow = 1'794'999'600'000;  // 2026-11-18

// Sets its clocks forward by an hour at `change`, or back.
LocalClock clock_of(Millis change, Millis before, Millis after) {
  return {.now = kNow, .zone = [=](Millis moment) { return moment < change ? before : after; }};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Millis change = kNow - static_cast<Millis>(size > 0 ? data[0] : 0) * 24 * kHour;
  for (const LocalClock& clock :
       {LocalClock{.now = kNow}, clock_of(change, kHour, 2 * kHour),
        clock_of(change, 2 * kHour, kHour), clock_of(change, -10 * kHour, 14 * kHour)}) {
    const auto since = parse_moment(text, Bound::since, clock);
    const auto until = parse_moment(text, Bound::until, clock);
    require(since.has_value() == until.has_value());
    if (!since) continue;
    require(*since <= *until || *since == *until + 1);
    require(parse_moment("  " + text + "\t", Bound::since, clock) == since);
  }
  return 0;
}
