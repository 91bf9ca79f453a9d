// GET /api/conversations/CONV/find: where words stand in a conversation, by ordinals.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> find(const Asking& asking) {
  WEFT_TRY_VALUE(const auto row, asking.conversation());
  WEFT_TRY_VALUE(auto found, query::search(asking.library,
                                           {.query = mcp::text_in(asking.arguments, "q"),
                                            .clock = machine_clock(),
                                            .conversation = row,
                                            .limit = mcp::whole_in(asking.arguments, "limit")}));
  std::vector<Cid> hits;
  for (const json::value& value : *find_array(found, "results")) {
    WEFT_TRY_VALUE(const auto cid, Cid::parse(find_string(value.as_object(), "cid").value_or("")));
    hits.push_back(cid);
  }
  WEFT_TRY_VALUE(
      const auto ordinals,
      query::find_ordinals(asking.library, row, hits, mcp::find_text_in(asking.arguments, "branch"),
                           find_bool(asking.arguments, "all").value_or(false)));
  json::object answer{{"total", found["total"]},
                      {"ordinals", json::array(ordinals.begin(), ordinals.end())}};
  if (const json::value* notes = find_member(found, "notes")) answer["notes"] = *notes;
  return answer;
}

}  // namespace

const Route& find_route() {
  static const Route route = {
      .path = "/api/conversations/{conversation}/find",
      .parameters = {{.name = "q", .is_required = true},
                     {.name = "branch"},
                     {.name = "all", .kind = mcp::Parameter::Kind::flag},
                     {.name = "limit",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 1000,
                      .least = 1,
                      .most = 10000}},
      .output_schema = R"({"title": "Found", "type": "object", "properties": {
  "total": {"type": "integer"},
  "ordinals": {"type": "array", "items": {"type": "integer"}, "description": "ascending"},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["total", "ordinals"]})",
      .answer = find,
  };
  return route;
}

}  // namespace weft::page
