// GET /api/today: what was done in each quarter of an hour of this day, where the server is.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/cost/calendar.hpp"
#include "weft/store/tables/tally.hpp"

namespace weft::page {
namespace {

constexpr Millis kDayMs = store::kQuartersOfDay * store::kQuarterMs;

Result<json::object> today(const Asking& asking) {
  const query::Calendar calendar = query::machine_calendar();
  const Millis now = machine_clock().now;
  const Millis ahead = calendar.offset ? calendar.offset(now) : 0;
  const Millis start = (now + ahead) / kDayMs * kDayMs - ahead;
  const auto go_on = [&](std::uint64_t, std::uint64_t) { return !asking.stop.stop_requested(); };
  WEFT_TRY_VALUE(const auto sum,
                 asking.library.web.sum_tallies(
                     {.with_quarters = true, .keyring = asking.library.keyring, .go_on = go_on}));
  json::array quarters;
  const auto end = sum.quarters.lower_bound((start + kDayMs) / store::kQuarterMs);
  for (auto at = sum.quarters.lower_bound(start / store::kQuarterMs); at != end; ++at) {
    const store::Figures& figures = at->second;
    quarters.push_back({{"time", at->first * store::kQuarterMs},
                        {"blocks", figures[store::Figure::blocks].own},
                        {"turns", figures[store::Figure::turns].own},
                        {"tool_calls", figures[store::Figure::tool_calls].own},
                        {"tool_errors", figures[store::Figure::tool_errors].own}});
  }
  return json::object{{"zone", calendar.zone}, {"start", start}, {"quarters", std::move(quarters)}};
}

}  // namespace

const Route& today_route() {
  static const Route route = {
      .path = "/api/today",
      .output_schema = R"({"title": "Today", "type": "object", "properties": {
  "zone": {"type": "string"}, "start": {"type": "integer", "description": "of the day, ms since 1970"},
  "quarters": {"type": "array", "description": "those in which something was done, in order",
    "items": {"title": "Quarter", "type": "object", "properties": {
    "time": {"type": "integer", "description": "its beginning, ms since 1970"},
    "blocks": {"type": "integer"}, "turns": {"type": "integer"},
    "tool_calls": {"type": "integer"}, "tool_errors": {"type": "integer"}},
    "required": ["time", "blocks", "turns", "tool_calls", "tool_errors"]}}},
  "required": ["zone", "start", "quarters"]})",
      .answer = today,
  };
  return route;
}

}  // namespace weft::page
