// wot_thought_get: reads one thought.
#include <fmt/format.h>

#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

std::string render(const json::object& thought, const query::Library& library) {
  query::Names names(library);
  std::string out = sealed_note(thought, library.keyring);
  append_thought(out, thought, names);
  out +=
      fmt::format("\ntype {}\n{}\n", text_or(thought, "type", "?"), text_or(thought, "cid", "?"));
  if (!list_in(thought, "because").empty()) {
    out += "Its causes: " +
           call_of("wot_walk_because",
                   {{"cid", query::brief(find_string(thought, "cid").value_or(""))}}) +
           "\n";
  }
  return out;
}

Served<> get(Call& call) {
  Named<Cid> cid = thought_named(call, "cid");
  if (!cid) return std::move(cid).error();
  const query::Library& library = call.library();
  Result<json::object> thought = query::get(library, *cid, query::Layers::open);
  if (!thought) return no_answer(call, thought.error());
  return tool_result(call, *std::move(thought),
                     [&](const json::object& structured) { return render(structured, library); });
}

}  // namespace

const Tool& wot_thought_get_tool() {
  static const Tool tool = {
      .name = "wot_thought_get",
      .title = "Get a thought",
      .description =
          R"(Reads one whole thought by its CID: content, creator, time, causes, signature. A thought is a block of a conversation (human_input, thinking, response, tool_request, tool_result…) or structure (conversation, turn, identity, connection). Sealed parts stay under content."$layers".)",
      .parameters =
          {{.name = "cid", .description = kThoughtName, .is_required = true, .longest = 200},
           max_chars()},
      .example = R"({"cid": "3f2a91c0b1d2"})",
      .output_schema = R"({"type": "object", "properties": {
  "cid": {"type": "string"}, "type": {"type": "string", "description": "family/kind"},
  "content": {"type": "object", "description": "the content; sealed parts under $layers"},
  "created_by": {"type": "string", "description": "CID of the identity that created it"},
  "created_at": {"type": "integer", "description": "ms since 1970"},
  "source": {"type": "string"},
  "because": {"type": "array", "items": {"type": "object",
    "properties": {"thought_cid": {"type": "string"}}, "required": ["thought_cid"]}},
  "signature": {"type": "string"}},
  "required": ["cid", "type", "content", "created_by", "created_at", "because", "signature"]})",
      .call = get,
  };
  return tool;
}

}  // namespace weft::mcp
