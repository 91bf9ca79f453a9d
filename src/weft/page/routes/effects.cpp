// GET /api/thoughts/CID/effects: what came of a thought.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> effects(const Asking& asking) {
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  query::TraceOptions options{.limit = mcp::whole_in(asking.arguments, "limit"),
                              .control = {.stop = asking.stop}};
  if (const auto depth = mcp::find_whole_in(asking.arguments, "depth")) options.depth = *depth;
  return query::effects_answer(asking.library, cid, options);
}

}  // namespace

const Route& effects_route() {
  static const Route route = {
      .path = "/api/thoughts/{cid}/effects",
      .parameters = {{.name = "depth", .kind = mcp::Parameter::Kind::whole},
                     {.name = "limit",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 200,
                      .least = 1,
                      .most = 5000}},
      .tool = "wot_effects",
      .answer = effects,
  };
  return route;
}

}  // namespace weft::page
