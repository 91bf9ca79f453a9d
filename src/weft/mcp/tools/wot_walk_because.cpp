// wot_walk_because: traces the causes of a thought.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

std::string render(const json::object& answer, const query::Library& library) {
  query::Names names(library);
  const json::array& thoughts = list_in(answer, "thoughts");
  std::string out = fmt::format(
      "The causes, breadth first, {}; the number in front is the number of steps back.\n",
      count(thoughts.size(), "thought"));
  if (find_bool(answer, "truncated").value_or(false) && !thoughts.empty()) {
    const json::object& last = thoughts.back().as_object();
    out +=
        "There is more: give a larger depth, limit or max_chars, or continue from a thought at the "
        "end, for example " +
        call_of("wot_walk_because",
                {{"cid", query::brief(find_string(last, "cid").value_or(""))}}) +
        "\n";
  }
  out += sealed_note(answer, library.keyring);
  for (const json::value& value : thoughts) {
    const json::object& thought = value.as_object();
    out += fmt::format("\n[{}] ", count_or_zero(thought, "depth"));
    append_thought(out, thought, names);
  }
  return out;
}

Served<> why(Call& call) {
  const json::object& arguments = call.arguments();
  Named<Cid> cid = thought_named(call, "cid");
  if (!cid) return std::move(cid).error();
  const query::Library& library = call.library();
  query::WhyOptions options{.limit = whole_in(arguments, "limit"),
                            .has_room = room_for(room_in(call)),
                            .control = {.stop = call.stop()}};
  if (const auto depth = find_whole_in(arguments, "depth")) options.depth = *depth;
  if (text_in(arguments, "response_format") == "concise") options.edit = make_concise;
  Result<json::object> answer = query::why_answer(library, *cid, options);
  if (!answer) return no_answer(call, answer.error());
  return tool_result(call, *std::move(answer),
                     [&](const json::object& structured) { return render(structured, library); });
}

}  // namespace

const Tool& wot_walk_because_tool() {
  static const Tool tool = {
      .name = "wot_walk_because",
      .title = "Why: causes of a thought",
      .description =
          R"(Answers why: follows the causes of a thought back, from an answer to the reasoning, tool results and prompts that led to it, down to the person's first message. Breadth first, each thought once, the start at depth 0. Use it on a hit of wot_thought_search. `truncated`: there are more.)",
      .parameters =
          {{.name = "cid", .description = kThoughtName, .is_required = true, .longest = 200},
           {.name = "depth",
            .kind = Parameter::Kind::whole,
            .description = "Steps back; all by default."},
           limit_of(200, 10'000),
           thought_format(),
           max_chars()},
      .example = R"({"cid": "3f2a91c0b1d2", "depth": 3})",
      .output_schema = R"({"type": "object", "properties": {
  "thoughts": {"type": "array", "items": {"type": "object", "properties": {
    "depth": {"type": "integer", "description": "steps from the start, which has 0"},
    "cid": {"type": "string"}, "type": {"type": "string"}, "content": {"type": "object"},
    "created_by": {"type": "string"}, "created_at": {"type": "integer"},
    "source": {"type": "string"}, "because": {"type": "array", "items": {"type": "object"}},
    "signature": {"type": "string"}},
    "required": ["depth", "cid", "type", "content", "created_by", "created_at", "because"]}},
  "truncated": {"type": "boolean", "description": "there are more causes than are returned"}},
  "required": ["thoughts", "truncated"]})",
      .call = why,
  };
  return tool;
}

}  // namespace weft::mcp
