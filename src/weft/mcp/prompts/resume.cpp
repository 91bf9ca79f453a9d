// The prompt `resume`: continue where a session ended.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/prompts/asking.hpp"
#include "weft/query/sessions/sessions.hpp"

namespace weft::mcp {
namespace {

constexpr std::uint64_t kTurns = 4;
constexpr std::uint64_t kChars = 20'000;

Served<> get(Call& call) {
  const query::Library& library = call.library();
  const Served<store::ConversationRow> row = named_session(call);
  if (!row) return std::unexpected(row.error());
  Result<json::object> none = query::read_session(library, *row, 0, 0, kChars);
  if (!none) return reject(code::kInternalError, none.error().message);
  const std::uint64_t total = count_or_zero(*none, "total_turns");
  const std::uint64_t offset = total > kTurns ? total - kTurns : 0;
  Result<json::object> last = query::read_session(library, *row, offset, kTurns, kChars);
  if (!last) return reject(code::kInternalError, last.error().message);
  const std::string session = query::session_name(*row);
  std::string quoted;
  for (const json::value& turn : list_in(*last, "turns")) {
    append_session_turn(quoted, turn.as_object());
    quoted += '\n';
  }
  return asking(
      "Continue where a session ended",
      fmt::format("Let us continue where session {} ended ({}, {} in all). Read what you need of "
                  "it first ({}), then tell me in a few sentences where things stood and what is "
                  "next, and wait for my answer.\n"
                  "\n"
                  "Its last turns:\n"
                  "{}",
                  session, in_quotes(text_or(*last, "title", "without a title")),
                  count(total, "turn"), call_of("read_conversation", {{"session_id", session}}),
                  quoted_data(quoted)));
}

std::vector<std::string> complete(Call& call, std::string_view, std::string_view prefix) {
  return complete_session(call, prefix);
}

}  // namespace

const Prompt& resume_prompt() {
  static const Prompt prompt = {
      .name = "resume",
      .title = "Continue where we were",
      .description = "Continues where an earlier session ended, in any client",
      .arguments = {session_argument()},
      .get = get,
      .complete = complete,
  };
  return prompt;
}

}  // namespace weft::mcp
