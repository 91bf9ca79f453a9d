// read_conversation: reads a session, a few turns at a time.
#include <fmt/format.h>

#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/sessions/sessions.hpp"

namespace weft::mcp {
namespace {

std::string render(const json::object& answer, const query::Library& library) {
  const json::array& turns = list_in(answer, "turns");
  const std::string session = text_or(answer, "session_id", "?");
  std::string out = fmt::format("{}{} ({})", in_quotes(text_or(answer, "title", "untitled")),
                                foreign_mark(answer), session);
  for (const std::string_view member : {"project", "cwd", "git_branch"}) {
    if (const auto text = find_string(answer, member)) {
      out += fmt::format(", {} {}", member, query::first_words(*text));
    }
  }
  out += fmt::format("\nturns: {}\n", span_of(count_or_zero(answer, "offset"), turns.size(),
                                              count_or_zero(answer, "total_turns")));
  if (find_member(answer, "next_offset") != nullptr) {
    out += "Next: " +
           call_of("read_conversation", {{"session_id", session},
                                         {"offset", count_or_zero(answer, "next_offset")},
                                         {"limit", count_or_zero(answer, "limit")}}) +
           "\n";
  }
  bool is_sealed = false;
  std::string turns_text;
  for (const json::value& value : turns) {
    const json::object& turn = value.as_object();
    is_sealed = is_sealed || find_bool(turn, "sealed").value_or(false);
    turns_text += '\n';
    append_session_turn(turns_text, turn);
  }
  if (is_sealed) out += sealed_turns_note(library.keyring);
  return out + turns_text;
}

Served<> read(Call& call) {
  Named<store::ConversationRow> row = session_named(call, "session_id");
  if (!row) return std::move(row).error();
  const query::Library& library = call.library();
  Result<json::object> answer =
      query::read_session(library, *row, whole_in(call.arguments(), "offset"),
                          whole_in(call.arguments(), "limit"), room_in(call));
  if (!answer) return no_answer(call, answer.error());
  return tool_result(call, *std::move(answer),
                     [&](const json::object& structured) { return render(structured, library); });
}

}  // namespace

const Tool& read_conversation_tool() {
  static const Tool tool = {
      .name = "read_conversation",
      .title = "Read a session",
      .description =
          R"(Reads a session turn by turn: the person's text, the answer, and the tools used; no reasoning, no tool output (wot_walk_sequence has them). `next_offset` begins the next page.)",
      .parameters = {{.name = "session_id",
                      .description = "format:id, or the id.",
                      .is_required = true,
                      .longest = 1'000},
                     offset_of(),
                     limit_of(10, 1'000),
                     max_chars()},
      .example =
          R"({"session_id": "claude-code:0b0e6d52-6c1f-4c3e-9b57-2a5f3e1d7c10", "offset": 10})",
      .output_schema = R"({"type": "object", "properties": {
  "session_id": {"type": "string"}, "title": {"type": ["string", "null"]},
  "project": {"type": ["string", "null"]}, "cwd": {"type": ["string", "null"]},
  "git_branch": {"type": ["string", "null"]}, "total_turns": {"type": "integer"},
  "offset": {"type": "integer"}, "limit": {"type": "integer"},
  "turns": {"type": "array", "items": {"type": "object", "properties": {
    "turn_number": {"type": "integer"},
    "turn": {"type": "integer", "description": "its first turn, for wot_walk_sequence"},
    "timestamp": {"type": ["string", "null"]},
    "user_text": {"type": ["string", "null"]}, "assistant_text": {"type": ["string", "null"]},
    "tools_used": {"type": "array", "items": {"type": "object"}},
    "attachments": {"type": "array", "items": {"type": "string"}}, "sealed": {"type": "boolean"}},
    "required": ["turn_number", "timestamp", "user_text", "assistant_text", "tools_used"]}},
  "next_offset": {"type": "integer", "description": "of the next page, if there is one"}},
  "required": ["session_id", "project", "cwd", "git_branch", "total_turns", "offset", "limit",
    "turns"]})",
      .call = read,
  };
  return tool;
}

}  // namespace weft::mcp
