// wot_conversation_list: lists the conversations in the store.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

std::string render(const json::object& answer, const json::object& arguments) {
  std::string out = list_head("Conversations", "wot_conversation_list", answer, arguments);
  for (const json::value& value : list_in(answer, "conversations")) {
    const json::object& row = value.as_object();
    out += fmt::format("\n{}{} ({}", in_quotes(text_or(row, "title", "untitled")),
                       foreign_mark(row), text_or(row, "format", "?"));
    if (const auto project = find_string(row, "project")) {
      out += ", project " + query::first_words(*project);
    }
    if (text_or(row, "source", "primary") != "primary") out += ", " + text_or(row, "source", "");
    out += fmt::format(")\n{} to {}, {}, {}", moment(row, "created_at"), moment(row, "updated_at"),
                       count(count_or_zero(row, "turn_count"), "turn"),
                       count(count_or_zero(row, "thought_count"), "thought"));
    for (const std::string_view member : {"cwd", "git_branch"}) {
      if (const auto text = find_string(row, member)) {
        out += fmt::format(", {} {}", member, query::first_words(*text));
      }
    }
    std::string models;
    for (const json::value& model : list_in(row, "models")) {
      if (model.is_string())
        models += (models.empty() ? "" : ", ") + std::string(view(model.get_string()));
    }
    if (!models.empty()) out += ", by " + models;
    out += fmt::format("\nconversation_cid {}, session {}\n", query::brief(text_or(row, "cid", "")),
                       text_or(row, "session_id", "?"));
    append_quoted(out, "summary", find_string(row, "summary").value_or(""));
  }
  return out;
}

Served<> list(Call& call) {
  const json::object& arguments = call.arguments();
  const LocalClock clock = machine_clock();
  Named<std::optional<Millis>> since = moment_named(call, "since", Bound::since, clock);
  if (!since) return std::move(since).error();
  Result<json::object> answer =
      query::list(call.library(), {.project = find_text_in(arguments, "project"),
                                   .format = find_text_in(arguments, "format"),
                                   .since = *since,
                                   .title = find_text_in(arguments, "title"),
                                   .cursor = find_text_in(arguments, "cursor"),
                                   .fold = find_bool(arguments, "fold").value_or(false),
                                   .limit = whole_in(arguments, "limit"),
                                   .offset = whole_in(arguments, "offset"),
                                   .clock = clock});
  return list_answer(call, std::move(answer),
                     [&](const json::object& structured) { return render(structured, arguments); });
}

}  // namespace

const Tool& wot_conversation_list_tool() {
  static const Tool tool = {
      .name = "wot_conversation_list",
      .title = "List conversations",
      .description =
          R"(Lists conversations, last changed first, subagents too. Use it to find one by time, project or format; by its text, wot_thought_search. Then wot_walk_sequence.)",
      .parameters = {{.name = "project", .description = "Its exact name, as listed."},
                     {.name = "format",
                      .description = "claude-code, codex, gemini, claude-export…"},
                     {.name = "since", .description = kSince},
                     {.name = "title", .description = "Text in the title."},
                     {.name = "fold",
                      .kind = Parameter::Kind::flag,
                      .description = "Count subagents under their parent."},
                     {.name = "cursor", .description = "next_cursor of the page before."},
                     limit_of(50, 1'000),
                     offset_of(),
                     max_chars()},
      .example = R"({"project": "looms", "limit": 20})",
      .output_schema = R"({"type": "object", "properties": {
  "conversations": {"type": "array", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "session_id": {"type": "string"}, "format": {"type": "string"},
    "source": {"type": "string", "description": "primary, or subagent:<id>"},
    "project": {"type": ["string", "null"]}, "cwd": {"type": ["string", "null"]},
    "git_branch": {"type": ["string", "null"]}, "title": {"type": ["string", "null"]},
    "summary": {"type": ["string", "null"]},
    "created_at": {"type": "integer", "description": "ms since 1970"},
    "updated_at": {"type": "integer", "description": "ms since 1970"},
    "turn_count": {"type": "integer"}, "thought_count": {"type": "integer"},
    "models": {"type": "array", "items": {"type": "string"}}},
    "required": ["cid", "session_id", "format", "source", "turn_count", "thought_count"]}},
  "total": {"type": "integer", "description": "number of matches"},
  "next_cursor": {"type": "string"},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["conversations", "total"]})",
      .call = list,
  };
  return tool;
}

}  // namespace weft::mcp
