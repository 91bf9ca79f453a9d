// wot_effects: traces what came of a thought.
#include "weft/mcp/answers/trace_tool.hpp"

namespace weft::mcp {
namespace {

Served<> effects(Call& call) {
  return answer_trace(call, {.tool = "wot_effects",
                             .found = "effects",
                             .way = "steps forward",
                             .ask = query::effects_answer});
}

}  // namespace

const Tool& wot_effects_tool() {
  static const Tool tool = {
      .name = "wot_effects",
      .title = "Effects of a thought",
      .description =
          "What came of a thought: the thoughts that rest on it, breadth first; the opposite of "
          "wot_walk_because.",
      .parameters = trace_parameters("Steps forward; all by default."),
      .example = R"({"cid": "3f2a91c0b1d2", "depth": 2})",
      .output_schema = kTraceSchema,
      .call = effects,
  };
  return tool;
}

}  // namespace weft::mcp
