// GET /api/stats: counts, times and tokens of everything, in all or by day.
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/cost/calendar.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> stats(const Asking& asking) {
  if (mcp::text_in(asking.arguments, "by") == "day") {
    const query::Calendar calendar = query::machine_calendar();
    return query::activity(asking.library, {.zone = calendar.zone, .offset = calendar.offset});
  }
  return query::stats(asking.library, std::nullopt, {.stop = asking.stop});
}

}  // namespace

const Route& stats_route() {
  static const std::string schema = R"({"anyOf": [)" + stats_shape() + ", " + days_shape() + "]}";
  static const Route route = {
      .path = "/api/stats",
      .parameters = {{.name = "by", .one_of = {"day"}}},
      .output_schema = schema,
      .answer = stats,
  };
  return route;
}

}  // namespace weft::page
