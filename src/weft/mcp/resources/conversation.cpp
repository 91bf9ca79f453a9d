// weft://conversation/{cid}: the facts of a conversation, and its turns in order.
#include "weft/base/try.hpp"
#include "weft/mcp/answers/resource_content.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/resource.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

Served<> read(Call& call, std::string_view uri, std::string_view value) {
  const query::Library& library = call.library();
  const Result<store::ConversationRow> row = query::resolve_conversation(library, value);
  if (!row) return not_found(call, uri);
  json::object document = query::describe(library, *row);
  json::array turns;
  const Status walked =
      query::walk(library, *row, {}, [&](json::object turn) { turns.push_back(std::move(turn)); });
  if (!walked) return reject(code::kInternalError, walked.error().message);
  document["turns"] = std::move(turns);
  return json_contents(uri, std::move(document));
}

Result<ListedPage> list(Call& call, std::uint64_t offset, std::uint64_t limit) {
  WEFT_TRY_VALUE(auto answer, query::list(call.library(), {.limit = limit, .offset = offset}));
  ListedPage page;
  page.total = static_cast<std::uint64_t>(answer.at("total").to_number<std::int64_t>());
  for (const json::value& value : answer.at("conversations").as_array()) {
    page.resources.push_back(listed(value.as_object()));
  }
  return page;
}

}  // namespace

const Resource& conversation_resource() {
  static const Resource resource = {
      .uri_template = "weft://conversation/{cid}",
      .name = "conversation",
      .title = "A conversation",
      .description =
          "The facts of a conversation (title, project, times, models) and its turns with every "
          "thought, in order. By its CID, or 8 or more of its hex digits.",
      .read = read,
      .list = list,
      .complete = complete_conversation,
  };
  return resource;
}

}  // namespace weft::mcp
