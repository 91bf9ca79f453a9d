// GET /api/names: the names of all projects and tools, to complete what is typed.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

Result<json::object> names(const Asking& asking) {
  WEFT_TRY_VALUE(const auto all, asking.names.read(asking.library, asking.stop));
  return json::object{{"projects", json::array(all->projects.begin(), all->projects.end())},
                      {"tools", json::array(all->tools.begin(), all->tools.end())}};
}

}  // namespace

const Route& names_route() {
  static const Route route = {
      .path = "/api/names",
      .output_schema = R"({"title": "AllNames", "type": "object", "properties": {
  "projects": {"type": "array", "items": {"type": "string"}},
  "tools": {"type": "array", "items": {"type": "string"}}},
  "required": ["projects", "tools"]})",
      .answer = names,
  };
  return route;
}

}  // namespace weft::page
