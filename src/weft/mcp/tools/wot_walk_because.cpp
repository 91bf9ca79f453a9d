// wot_walk_because: traces the causes of a thought.
#include "weft/mcp/answers/trace_tool.hpp"

namespace weft::mcp {
namespace {

Served<> why(Call& call) {
  return answer_trace(call, {.tool = "wot_walk_because",
                             .found = "causes",
                             .way = "steps back",
                             .ask = query::why_answer});
}

}  // namespace

const Tool& wot_walk_because_tool() {
  static const Tool tool = {
      .name = "wot_walk_because",
      .title = "Why: causes of a thought",
      .description =
          R"(Answers why: follows the causes of a thought back, from an answer to the reasoning, tool results and prompts that led to it, through subagents, to the person's first message. Breadth first. Use it on a hit of wot_thought_search. `truncated`: there are more.)",
      .parameters = trace_parameters("Steps back; all by default."),
      .example = R"({"cid": "3f2a91c0b1d2", "depth": 3})",
      .output_schema = kTraceSchema,
      .call = why,
  };
  return tool;
}

}  // namespace weft::mcp
