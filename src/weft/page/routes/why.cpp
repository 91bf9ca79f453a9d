// GET /api/thoughts/CID/why: the causes of a thought.
#include "weft/page/shapes.hpp"
#include "weft/page/trace_route.hpp"

namespace weft::page {

const Route& why_route() {
  static const std::string schema = trace_shape();
  static const Route route = {
      .path = "/api/thoughts/{cid}/why",
      .parameters = trace_parameters(),
      .output_schema = schema,
      .answer = [](const Asking& asking) { return answer_trace(asking, query::why_answer); },
  };
  return route;
}

}  // namespace weft::page
