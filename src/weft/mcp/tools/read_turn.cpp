// read_turn: reads one turn of a session.
#include <fmt/format.h>

#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/sessions/sessions.hpp"

namespace weft::mcp {
namespace {

std::string render(const json::object& turn, const query::Library& library) {
  const std::string session = text_or(turn, "session_id", "?");
  std::string out = session + ", ";
  append_session_turn(out, turn);
  if (find_bool(turn, "sealed").value_or(false)) out += sealed_turns_note(library.keyring);
  out +=
      "\n"
      "The turns around it: " +
      call_of(
          "read_conversation",
          {{"session_id", session}, {"offset", count_or_zero(turn, "turn_number")}, {"limit", 5}}) +
      "\n";
  return out;
}

Served<> read(Call& call) {
  Named<store::ConversationRow> row = session_named(call, "session_id");
  if (!row) return std::move(row).error();
  const query::Library& library = call.library();
  Result<json::object> turn =
      query::read_session_turn(library, *row, whole_in(call.arguments(), "turn_number"));
  if (!turn && turn.error().code == ErrorCode::not_found) {
    return refused(turn.error(),
                   "read_conversation shows how many there are: " +
                       call_of("read_conversation", {{"session_id", query::session_name(*row)}}));
  }
  if (!turn) return no_answer(call, turn.error());
  return tool_result(call, *std::move(turn),
                     [&](const json::object& structured) { return render(structured, library); });
}

}  // namespace

const Tool& read_turn_tool() {
  static const Tool tool = {
      .name = "read_turn",
      .title = "Read a turn",
      .description =
          R"(Reads one whole turn: the person's text, the answer, each tool call in short. Use it with the session_id and turn_number of a search_conversations result. For tool output and reasoning use wot_walk_sequence with its `turn`.)",
      .parameters = {{.name = "session_id",
                      .description = "format:id, or the id.",
                      .is_required = true,
                      .longest = 1'000},
                     {.name = "turn_number",
                      .kind = Parameter::Kind::whole,
                      .description = "From 0.",
                      .is_required = true},
                     max_chars()},
      .example =
          R"({"session_id": "claude-code:0b0e6d52-6c1f-4c3e-9b57-2a5f3e1d7c10", "turn_number": 3})",
      .output_schema = R"({"type": "object", "properties": {
  "session_id": {"type": "string"}, "turn_number": {"type": "integer"},
  "turn": {"type": "integer", "description": "its first turn, for wot_walk_sequence"},
  "timestamp": {"type": ["string", "null"], "description": "ISO 8601"},
  "user_text": {"type": ["string", "null"], "description": "null if it is sealed"},
  "assistant_text": {"type": ["string", "null"], "description": "null if it is sealed"},
  "tools_used": {"type": "array", "items": {"type": "object",
    "properties": {"tool": {"type": "string"}}, "required": ["tool"]}},
  "attachments": {"type": "array", "items": {"type": "string"}},
  "sealed": {"type": "boolean"}},
  "required": ["session_id", "turn_number", "timestamp", "user_text", "assistant_text",
    "tools_used"]})",
      .call = read,
  };
  return tool;
}

}  // namespace weft::mcp
