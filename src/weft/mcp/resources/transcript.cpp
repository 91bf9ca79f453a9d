// weft://transcript/{cid}: a conversation as people read it.
#include "weft/mcp/answers/answer_size.hpp"
#include "weft/mcp/answers/resource_content.hpp"
#include "weft/mcp/answers/sanitize.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/resource.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/transcript/entries.hpp"

namespace weft::mcp {
namespace {

Served<> read(Call& call, std::string_view uri, std::string_view value) {
  const query::Library& library = call.library();
  const Result<store::ConversationRow> row = query::resolve_conversation(library, value);
  if (!row) return not_found(call, uri);
  const auto entries = query::entries(library, *row, {});
  if (!entries) return reject(code::kInternalError, entries.error().message);
  return text_contents(uri, fitted(cleaned(transcript::to_text(*entries)), kMostChars));
}

}  // namespace

const Resource& transcript_resource() {
  static const Resource resource = {
      .uri_template = "weft://transcript/{cid}",
      .name = "transcript",
      .title = "A transcript",
      .description =
          "A conversation and its subagents as a person would read them: who said what and when, "
          "tool calls and their output, without reasoning. By the conversation's CID, or 8 or more "
          "of its hex digits.",
      .mime_type = "text/plain",
      .read = read,
      .complete = complete_conversation,
  };
  return resource;
}

}  // namespace weft::mcp
