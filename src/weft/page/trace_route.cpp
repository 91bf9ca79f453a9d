#include "weft/page/trace_route.hpp"

#include "weft/base/try.hpp"

namespace weft::page {

std::vector<mcp::Parameter> trace_parameters() {
  return {{.name = "depth", .kind = mcp::Parameter::Kind::whole},
          {.name = "limit",
           .kind = mcp::Parameter::Kind::whole,
           .preset = 200,
           .least = 1,
           .most = 5'000}};
}

Result<json::object> answer_trace(const Asking& asking, decltype(&query::why_answer) ask) {
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  query::TraceOptions options{.limit = mcp::whole_in(asking.arguments, "limit"),
                              .control = {.stop = asking.stop}};
  if (const auto depth = mcp::find_whole_in(asking.arguments, "depth")) options.depth = *depth;
  return ask(asking.library, cid, options);
}

}  // namespace weft::page
