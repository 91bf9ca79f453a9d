// GET /api/cost: tokens and dollars.
#include "weft/query/cost/cost.hpp"
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"

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

}  // namespace

const Route& cost_route() {
  static const Route route = {
      .path = "/api/cost",
      .parameters = {{.name = "by",
                      .one_of = {"day", "week", "month", "model", "project", "session", "prompt"},
                      .preset_text = "day"},
                     {.name = "since"},
                     {.name = "until"},
                     {.name = "conversation"}},
      .tool = "wot_cost",
      .answer = cost,
  };
  return route;
}

}  // namespace weft::page
