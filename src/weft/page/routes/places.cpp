// GET /api/thoughts/CID/places: the conversations that a block stands in, newest first.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> places(const Asking& asking) {
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  WEFT_TRY_VALUE(const auto holders, asking.library.web.conversations_of(cid));
  json::array places;
  for (const Cid& holder : holders) {
    WEFT_TRY_VALUE(const auto row, asking.library.web.conversation(holder));
    WEFT_TRY_VALUE(const auto ordinals, query::find_ordinals(asking.library, row, {cid}));
    json::object place = query::describe(asking.library, row);
    place["ordinal"] = nullptr;
    if (!ordinals.empty()) place["ordinal"] = ordinals.front();
    places.push_back(std::move(place));
  }
  return json::object{{"places", std::move(places)}};
}

}  // namespace

const Route& places_route() {
  static const Route route = {
      .path = "/api/thoughts/{cid}/places",
      .output_schema = R"({"type": "object", "properties": {
  "places": {"type": "array", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "title": {"type": ["string", "null"]}, "project": {"type": ["string", "null"]},
    "format": {"type": "string"}, "updated_at": {"type": "integer"},
    "ordinal": {"type": ["integer", "null"], "description": "in the outline of the main branch"}},
    "required": ["cid", "format", "updated_at", "ordinal"]}}},
  "required": ["places"]})",
      .answer = places,
  };
  return route;
}

}  // namespace weft::page
