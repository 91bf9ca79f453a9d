// GET /api/path: whether one of two thoughts rests on the other, and through which thoughts.
#include "weft/query/trace/path.hpp"
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"

namespace weft::page {
namespace {

Result<json::object> path(const Asking& asking) {
  WEFT_TRY_VALUE(const auto from,
                 query::resolve_thought(asking.library, mcp::text_in(asking.arguments, "from")));
  WEFT_TRY_VALUE(const auto to,
                 query::resolve_thought(asking.library, mcp::text_in(asking.arguments, "to")));
  return query::path(
      asking.library, from, to,
      {.limit = mcp::whole_in(asking.arguments, "limit"), .control = {.stop = asking.stop}});
}

}  // namespace

const Route& path_route() {
  static const std::string schema = object_shape(
      "Path",
      R"("path": )" + array_of(thought_shape("OnPath", R"("reached_by": {"type": "string",
  "description": "the edge; not at the first"})")) +
          R"(, "rests": {"type": ["string", "null"], "enum": ["from", "to", null],
  "description": "which of the two rests on the other, and is the first of the path"},
  "searched": {"type": "integer"},
  "truncated": {"type": "boolean", "description": "the limit was reached: there may be a path"})",
      R"("path", "rests", "searched", "truncated")");
  static const Route route = {
      .path = "/api/path",
      .parameters = {{.name = "from", .is_required = true},
                     {.name = "to", .is_required = true},
                     {.name = "limit",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 20'000,
                      .least = 1,
                      .most = 200'000}},
      .output_schema = schema,
      .pace = Route::Pace::slow,
      .answer = path,
  };
  return route;
}

}  // namespace weft::page
