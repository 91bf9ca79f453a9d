// GET /api/thoughts/CID: one thought; with `sealed` as it is stored, with `reveal` without masks.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> thought(const Asking& asking) {
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  const bool is_sealed = find_bool(asking.arguments, "sealed").value_or(false);
  return query::get(asking.library, cid,
                    is_sealed ? query::Layers::as_stored : query::Layers::open);
}

}  // namespace

const Route& thought_route() {
  static const std::string schema = thought_shape();
  static const Route route = {
      .path = "/api/thoughts/{cid}",
      .parameters = {{.name = "sealed", .kind = mcp::Parameter::Kind::flag},
                     {.name = "reveal", .kind = mcp::Parameter::Kind::flag}},
      .output_schema = schema,
      .is_exact = true,
      .answer = thought,
  };
  return route;
}

}  // namespace weft::page
