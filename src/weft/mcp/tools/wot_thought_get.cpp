// wot_thought_get: reads one thought.
#include <fmt/format.h>

#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
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
          R"(Reads one complete thought by its CID: its content, creator, time, causes, and signature. A thought is one block of a conversation (human_input, thinking, response, tool_request, tool_result…), or part of its structure (conversation, turn, identity, connection, checkpoint).

Use it to read a thought that wot_thought_search or wot_connections named. For its causes use wot_walk_because; for its context in the conversation, wot_walk_sequence.

Layers that the server's keyring does not open stay under content."$layers": reasoning is sealed then, and the owner's keyring, or one with the content key, opens it.

Example: wot_thought_get {"cid": "3f2a91c0b1d2"})",
      .parameters = {{.name = "cid",
                      .description =
                          "The thought: its CID, or the first 8 or more of its hex digits.",
                      .is_required = true,
                      .longest = 200},
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
