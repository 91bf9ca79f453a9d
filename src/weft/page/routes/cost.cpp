// GET /api/cost: tokens and dollars.
#include "weft/query/cost/cost.hpp"
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"

namespace weft::page {
namespace {

Result<json::object> cost(const Asking& asking) {
  const json::object& arguments = asking.arguments;
  query::CostOptions question{.by = *query::parse_cost_by(mcp::text_in(arguments, "by")),
                              .calendar = query::machine_calendar(),
                              .control = {.stop = asking.stop}};
  WEFT_TRY_VALUE(question.since, asking.moment("since", Bound::since));
  WEFT_TRY_VALUE(question.until, asking.moment("until", Bound::until));
  if (const auto named = mcp::find_text_in(arguments, "conversation")) {
    WEFT_TRY_VALUE(question.conversation, query::resolve_conversation(asking.library, *named));
  }
  return query::cost(asking.library, asking.context.prices, question);
}

std::string cost_schema() {
  const std::string counts = R"("requests": {"type": "integer"}, "input": {"type": "integer"},
  "output": {"type": "integer"}, "cache_read": {"type": "integer"},
  "cache_write_5m": {"type": "integer"}, "cache_write_1h": {"type": "integer"},
  "reasoning": {"type": "integer"},
  "cost": {"type": ["number", "null"], "description": "in dollars; null if no request has a price"},
  "unpriced_requests": {"type": "integer"})";
  constexpr std::string_view required =
      R"("requests", "input", "output", "cache_read", "cache_write_5m", "cache_write_1h", "reasoning", "cost", "unpriced_requests")";
  const std::string row = object_shape(
      "CostRow", counts + R"(, "key": {"type": "string"}, "title": {"type": ["string", "null"]})",
      R"("key", )" + std::string(required));
  return object_shape(
      "Cost",
      R"("by": {"type": "string"}, "zone": {"type": "string"}, "rows": )" + array_of(row) +
          R"(, "total": )" + object_shape("CostTotal", counts, required) +
          R"(, "unpriced": {"type": "array", "items": {"title": "Unpriced", "type": "object",
    "properties": {"model": {"type": "string"}, "requests": {"type": "integer"}},
    "required": ["model", "requests"]}}, "prices": {"type": "object"}, )" +
          std::string(kNotesShape),
      R"("by", "zone", "rows", "total", "unpriced", "prices")");
}

}  // namespace

const Route& cost_route() {
  static const std::string schema = cost_schema();
  static const Route route = {
      .path = "/api/cost",
      .parameters = {{.name = "by",
                      .one_of = {"day", "week", "month", "model", "project", "session", "prompt"},
                      .preset_text = "day"},
                     {.name = "since"},
                     {.name = "until"},
                     {.name = "conversation"}},
      .output_schema = schema,
      .answer = cost,
  };
  return route;
}

}  // namespace weft::page
