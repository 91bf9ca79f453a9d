// weft://thought/{cid}: one thought.
#include "weft/mcp/answers/resource_content.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/resource.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

Served<> read(Call& call, std::string_view uri, std::string_view value) {
  const query::Library& library = call.library();
  const Result<Cid> cid = query::resolve_thought(library, value);
  if (!cid) return not_found(call, uri);
  Result<json::object> thought = query::get(library, *cid, query::Layers::open);
  if (!thought) return not_found(call, uri);
  return json_contents(uri, *std::move(thought));
}

}  // namespace

const Resource& thought_resource() {
  static const Resource resource = {
      .uri_template = "weft://thought/{cid}",
      .name = "thought",
      .title = "A thought",
      .description =
          "One block of a conversation (a prompt, an answer, reasoning, a tool call or its "
          "result), with its creator, its time, and its causes. By its CID, or 8 or more of its "
          "hex digits.",
      .read = read,
      .complete = complete_thought,
  };
  return resource;
}

}  // namespace weft::mcp
