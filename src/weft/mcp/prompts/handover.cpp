// The prompt `handover`: go on with a session whose beginning was lost.
#include <fmt/format.h>

#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/prompts/asking.hpp"
#include "weft/query/handover/handover.hpp"
#include "weft/query/sessions/sessions.hpp"

namespace weft::mcp {
namespace {

Served<> get(Call& call) {
  const query::Library& library = call.library();
  const Served<store::ConversationRow> row = named_session(call);
  if (!row) return std::unexpected(row.error());
  Result<json::object> answer = query::handover(library, *row, {});
  if (!answer) return reject(code::kInternalError, answer.error().message);
  return asking(
      "Where a session stands",
      fmt::format("This is where session {} stands. Go on with its task; look up what you need of "
                  "it by the CIDs ({}).\n"
                  "\n"
                  "{}",
                  query::session_name(*row), call_of("wot_thought_get", {{"cid", "CID"}}),
                  quoted_data(text_or(*answer, "text", ""))));
}

std::vector<std::string> complete(Call& call, std::string_view, std::string_view prefix) {
  return complete_session(call, prefix);
}

}  // namespace

const Prompt& handover_prompt() {
  static const Prompt prompt = {
      .name = "handover",
      .title = "Where we stand",
      .description =
          "Says in at most 2 kB where a session stands: its task, open entries, files in "
          "flight, the last failure and decisions, each with its CID",
      .arguments = {session_argument()},
      .get = get,
      .complete = complete,
  };
  return prompt;
}

}  // namespace weft::mcp
