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
      .title = "Why: walk the causes of a thought",
      .description =
          R"(Answers why: traces a thought back along its causes (`because`), from an answer to the reasoning behind it, the tool results and the prompt that led to it, the answer before that, back to the person's first message. Breadth first, each complete thought once, the start at depth 0. From a subagent it continues to the call that spawned it, and from the result of such a call into the subagent.

Use it on a thought that wot_thought_search found, to learn why something was said or done. To read a conversation in order instead, use wot_walk_sequence.

`truncated` means that there are more causes than depth, limit or max_chars allow. Reasoning that the server's keyring does not open stays sealed under "$layers".

Example: wot_walk_because {"cid": "3f2a91c0b1d2", "depth": 3})",
      .parameters = trace_parameters(
          "The thought to explain: its CID, or the first 8 or more of its hex digits.",
          "Maximum number of steps back. Default: back to the roots."),
      .example = R"({"cid": "3f2a91c0b1d2", "depth": 3})",
      .output_schema = kTraceSchema,
      .call = why,
  };
  return tool;
}

}  // namespace weft::mcp
