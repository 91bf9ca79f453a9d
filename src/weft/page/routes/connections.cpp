// GET /api/thoughts/CID/connections: the connections from and to a thought.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> connections(const Asking& asking) {
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  return query::connections(asking.library, cid, mcp::find_text_in(asking.arguments, "relation"),
                            store::Direction::both);
}

}  // namespace

const Route& connections_route() {
  static const Route route = {
      .path = "/api/thoughts/{cid}/connections",
      .parameters = {{.name = "relation"}},
      .tool = "wot_connections",
      .answer = connections,
  };
  return route;
}

}  // namespace weft::page
