// GET /api/forgotten: the signed statements that conversations were forgotten, newest first.
#include "weft/query/verify/forgotten.hpp"
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

Result<json::object> forgotten(const Asking& asking) {
  return query::forgotten(asking.context.store, asking.context.keyring);
}

}  // namespace

const Route& forgotten_route() {
  static const Route route = {
      .path = "/api/forgotten",
      .output_schema = R"({"title": "AllForgotten", "type": "object", "properties": {
  "forgotten": {"type": "array", "items": {"title": "Forgotten", "type": "object", "properties": {
    "cid": {"type": "string", "description": "of the tombstone"},
    "created_at": {"type": "integer"}, "created_by": {"type": "string"},
    "conversations": {"type": "array", "items": {"type": "string"}},
    "thoughts": {"type": "integer", "description": "how many were removed"},
    "verdict": {"type": "string", "enum": ["valid", "consistent", "foreign", "bad"]},
    "reason": {"type": "string"}},
    "required": ["cid", "created_at", "created_by", "conversations", "thoughts", "verdict"]}}},
  "required": ["forgotten"]})",
      .pace = Route::Pace::slow,
      .answer = forgotten,
  };
  return route;
}

}  // namespace weft::page
