#include "weft/mcp/answers/trace_tool.hpp"

#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"

namespace weft::mcp {
namespace {

// "(returns from 3f2a91c0b1d2) " for a step along a connection; the thought itself shows `because`.
std::string step_to(const json::object& thought) {
  const auto edge = find_string(thought, "reached_by");
  if (!edge || *edge == "because") return {};
  return fmt::format("({} from {}) ", *edge,
                     query::brief(find_string(thought, "reached_from").value_or("")));
}

std::string render(const Trace& trace, const json::object& answer, const query::Library& library) {
  query::Names names(library);
  const json::array& thoughts = list_in(answer, "thoughts");
  std::string out =
      fmt::format("The {}, breadth first, {}; the number in front is the number of {}.\n",
                  trace.found, count(thoughts.size(), "thought"), trace.way);
  if (find_bool(answer, "truncated").value_or(false) && !thoughts.empty()) {
    const json::object& last = thoughts.back().as_object();
    out +=
        "There is more: give a larger depth, limit or max_chars, or continue from a thought at the "
        "end, for example " +
        call_of(trace.tool, {{"cid", query::brief(find_string(last, "cid").value_or(""))}}) + "\n";
  }
  out += sealed_note(answer, library.keyring);
  for (const json::value& value : thoughts) {
    const json::object& thought = value.as_object();
    out += fmt::format("\n[{}] {}", count_or_zero(thought, "depth"), step_to(thought));
    append_thought(out, thought, names);
  }
  if (trace.render_more != nullptr) trace.render_more(answer, out);
  return out;
}

}  // namespace

std::vector<Parameter> trace_parameters(std::string_view depth) {
  return {{.name = "cid", .description = kThoughtName, .is_required = true, .longest = 200},
          {.name = "depth", .kind = Parameter::Kind::whole, .description = depth},
          limit_of(200, 10'000),
          thought_format(),
          max_chars()};
}

const std::string_view kTraceSchema = R"({"type": "object", "properties": {
  "thoughts": {"type": "array", "items": {"type": "object", "properties": {
    "depth": {"type": "integer", "description": "steps from the start, which has 0"},
    "reached_by": {"type": "string", "description": "the edge; not at the start"},
    "reached_from": {"type": "string", "description": "the CID at its other end"},
    "summary": {"type": "object", "description": "of reasoning that cannot be read",
      "properties": {"cid": {"type": "string"}, "text": {"type": "string"}}},
    "cid": {"type": "string"}, "type": {"type": "string"}, "content": {"type": "object"},
    "created_by": {"type": "string"}, "created_at": {"type": "integer"},
    "source": {"type": "string"}, "because": {"type": "array", "items": {"type": "object"}},
    "signature": {"type": "string"}},
    "required": ["depth", "cid", "type", "content", "created_by", "created_at", "because"]}},
  "truncated": {"type": "boolean", "description": "there are more than are returned"}},
  "required": ["thoughts", "truncated"]})";

Served<> answer_trace(Call& call, const Trace& trace) {
  const json::object& arguments = call.arguments();
  Named<Cid> cid = thought_named(call, "cid");
  if (!cid) return std::move(cid).error();
  const query::Library& library = call.library();
  query::TraceOptions options{.limit = whole_in(arguments, "limit"),
                              .has_room = room_for(room_in(call)),
                              .control = {.stop = call.stop()}};
  if (const auto depth = find_whole_in(arguments, "depth")) options.depth = *depth;
  if (text_in(arguments, "response_format") == "concise") options.edit = make_concise;
  Result<json::object> answer = trace.ask(library, *cid, options);
  if (!answer) return no_answer(call, answer.error());
  if (trace.extend != nullptr) {
    if (const Status extended = trace.extend(call, *cid, *answer); !extended) {
      return no_answer(call, extended.error());
    }
  }
  return tool_result(call, *std::move(answer), [&](const json::object& structured) {
    return render(trace, structured, library);
  });
}

}  // namespace weft::mcp
