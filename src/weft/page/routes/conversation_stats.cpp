// GET /api/conversations/CONV/stats: counts, times and tokens of one conversation.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/cost/calendar.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> conversation_stats(const Asking& asking) {
  WEFT_TRY_VALUE(const auto row, asking.conversation());
  if (mcp::text_in(asking.arguments, "by") == "day") {
    const query::Calendar calendar = query::machine_calendar();
    return query::activity(asking.library,
                           {.conversation = row, .zone = calendar.zone, .offset = calendar.offset});
  }
  return query::stats(asking.library, row, {.stop = asking.stop});
}

}  // namespace

const Route& conversation_stats_route() {
  static const std::string schema = R"({"anyOf": [)" + stats_shape() + ", " + days_shape() + "]}";
  static const Route route = {
      .path = "/api/conversations/{conversation}/stats",
      .parameters = {{.name = "by", .one_of = {"day"}}},
      .output_schema = schema,
      .answer = conversation_stats,
  };
  return route;
}

}  // namespace weft::page
