// GET /api/thoughts/CID/places: the conversations that a block stands in, newest first.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
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
    if (!ordinals.empty()) {
      place["ordinal"] = ordinals.front();
    } else {
      WEFT_TRY_VALUE(const auto in_all,
                     query::find_ordinals(asking.library, row, {cid}, std::nullopt, true));
      if (!in_all.empty()) place["ordinal_in_all"] = in_all.front();
    }
    places.push_back(std::move(place));
  }
  return json::object{{"places", std::move(places)}};
}

}  // namespace

const Route& places_route() {
  static const std::string schema = object_shape(
      "Places",
      R"("places": )" +
          array_of(conversation_shape("Place", R"("ordinal": {"type": ["integer", "null"],
  "description": "in the outline of the main branch"},
  "ordinal_in_all": {"type": "integer", "description": "in the outline of all branches, if it is not in the main one"})",
                                      R"("ordinal")")),
      R"("places")");
  static const Route route = {
      .path = "/api/thoughts/{cid}/places",
      .output_schema = schema,
      .answer = places,
  };
  return route;
}

}  // namespace weft::page
