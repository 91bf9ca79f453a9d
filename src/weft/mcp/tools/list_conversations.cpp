// list_conversations: lists main sessions, newest first.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/sessions/sessions.hpp"

namespace weft::mcp {
namespace {

std::string render(const json::object& answer, const json::object& arguments) {
  std::string out = list_head("Sessions", "list_conversations", answer, arguments);
  for (const json::value& value : list_in(answer, "conversations")) {
    const json::object& row = value.as_object();
    out += "\n" + in_quotes(text_or(row, "title", "untitled"));
    out += foreign_mark(row);
    for (const std::string_view member : {"project", "cwd", "git_branch"}) {
      if (const auto text = find_string(row, member)) {
        out += fmt::format(", {} {}", member, query::first_words(*text));
      }
    }
    out += fmt::format(
        "\n{} to {}, {}\nsession_id {}\n", text_or(row, "first_timestamp", "an unknown time"),
        text_or(row, "last_timestamp", "an unknown time"),
        count(count_or_zero(row, "turn_count"), "turn"), text_or(row, "session_id", "?"));
    append_quoted(out, "summary", find_string(row, "summary").value_or(""));
  }
  return out;
}

Served<> list(Call& call) {
  const json::object& arguments = call.arguments();
  Result<json::object> answer =
      query::list_sessions(call.library(), {.project = find_text_in(arguments, "project"),
                                            .limit = whole_in(arguments, "limit"),
                                            .offset = whole_in(arguments, "offset"),
                                            .control = {.stop = call.stop()}});
  return list_answer(call, std::move(answer),
                     [&](const json::object& structured) { return render(structured, arguments); });
}

}  // namespace

const Tool& list_conversations_tool() {
  static const Tool tool = {
      .name = "list_conversations",
      .title = "List sessions",
      .description =
          R"(Lists past sessions, last changed first: title, summary, project, directory, branch, times, number of turns. Use it to find a session by time or project; then read_conversation. wot_conversation_list has subagents and more filters.)",
      .parameters = {{.name = "project", .description = "Its name, or that of its folder."},
                     limit_of(50, 1'000),
                     offset_of()},
      .example = R"({"project": "looms", "limit": 10})",
      .output_schema = R"({"type": "object", "properties": {
  "conversations": {"type": "array", "items": {"type": "object", "properties": {
    "session_id": {"type": "string", "description": "format:id"},
    "title": {"type": ["string", "null"]}, "slug": {"type": ["string", "null"]},
    "summary": {"type": ["string", "null"]},
    "first_timestamp": {"type": ["string", "null"], "description": "ISO 8601"},
    "last_timestamp": {"type": ["string", "null"], "description": "ISO 8601"},
    "turn_count": {"type": "integer", "description": "as turn_number counts them"}, "cwd": {"type": ["string", "null"]},
    "git_branch": {"type": ["string", "null"]}, "project": {"type": ["string", "null"]},
    "conversation_cid": {"type": "string"}},
    "required": ["session_id", "slug", "summary", "first_timestamp", "last_timestamp",
      "turn_count", "cwd", "git_branch", "project"]}},
  "total": {"type": "integer", "description": "number of matches"},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["conversations", "total"]})",
      .call = list,
  };
  return tool;
}

}  // namespace weft::mcp
