// GET /api/schemas: every route with the JSON Schemas of its parameters and its answer.
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

Result<json::object> schemas(const Asking&) { return describe_routes(); }

}  // namespace

const Route& schemas_route() {
  static const Route route = {
      .path = "/api/schemas",
      .output_schema = R"({"title": "Schemas", "type": "object", "properties": {
  "routes": {"type": "array", "items": {"title": "RouteSchema", "type": "object", "properties": {
    "path": {"type": "string"}, "parameters": {"type": "object"}, "answer": {"type": "object"}},
    "required": ["path", "parameters"]}}},
  "required": ["routes"]})",
      .answer = schemas,
  };
  return route;
}

}  // namespace weft::page
