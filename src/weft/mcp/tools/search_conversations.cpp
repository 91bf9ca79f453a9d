// search_conversations: searches whole turns.
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

void append_result(std::string& out, std::uint64_t number, const json::object& result) {
  out += fmt::format("\n{}. turn {} of {}{}", number, count_or_zero(result, "turn_number"),
                     in_quotes(text_or(result, "title", "untitled")), foreign_mark(result));
  if (const auto project = find_string(result, "project")) {
    out += fmt::format(" (project {})", query::first_words(*project));
  }
  out += fmt::format(", {}\n", text_or(result, "timestamp", "at an unknown time"));
  out += call_of("read_turn", {{"session_id", text_or(result, "session_id", "?")},
                               {"turn_number", count_or_zero(result, "turn_number")}}) +
         "\n";
  append_quoted(out, "snippet", marked_snippet(result));
}

std::string render(const json::object& answer, const json::object& arguments) {
  const json::array& results = list_in(answer, "results");
  const std::uint64_t offset = whole_in(arguments, "offset");
  const std::uint64_t total = count_or_zero(answer, "total");
  std::string out = total == 0
                        ? "Nothing was found. Try fewer or other words, or leave filters out.\n"
                        : fmt::format("{} found, best first: {}.\n", count(total, "turn"),
                                      span_of(offset, results.size(), total));
  if (!results.empty() && offset + results.size() < total) {
    json::object next = arguments;
    next["offset"] = offset + results.size();
    out += "More: " + call_of("search_conversations", next) + "\n";
  }
  out += notes_in(answer);
  std::uint64_t number = offset;
  for (const json::value& result : results) append_result(out, ++number, result.as_object());
  return out;
}

Served<> search(Call& call) {
  const json::object& arguments = call.arguments();
  query::SearchOptions question{.query = text_in(arguments, "query"),
                                .clock = machine_clock(),
                                .limit = whole_in(arguments, "limit"),
                                .offset = whole_in(arguments, "offset")};
  if (auto project = find_text_in(arguments, "project")) {
    question.projects.push_back(*std::move(project));
  }
  if (find_text_in(arguments, "session_id")) {
    Named<store::ConversationRow> row = session_named(call, "session_id");
    if (!row) return std::move(row).error();
    question.conversation = *std::move(row);
  }
  Result<json::object> answer = query::search_turns(call.library(), question);
  if (!answer) return no_answer(call, answer.error());
  leave_out(*answer, "results", room_in(call));
  return tool_result(call, *std::move(answer),
                     [&](const json::object& structured) { return render(structured, arguments); });
}

}  // namespace

const Tool& search_conversations_tool() {
  static const Tool tool = {
      .name = "search_conversations",
      .title = "Search turns",
      .description =
          R"(Searches past conversations with AI agents and returns the best turns: a person's prompt with the answer to it, found by any text in it, tools and reasoning included. Use it first to learn what was discussed before; then read_turn. For single blocks and their causes use wot_thought_search.
Query: any words, "a phrase", +must, -not, prefix*, since:2w, tool:Bash.)",
      .parameters = {{.name = "query", .is_required = true},
                     limit_of(10, 200),
                     {.name = "session_id",
                      .description = "Only this session: format:id, or the id.",
                      .longest = 1'000},
                     {.name = "project"},
                     offset_of()},
      .example = R"({"query": "loom shuttle stuck", "limit": 5})",
      .output_schema = R"({"type": "object", "properties": {
  "results": {"type": "array", "items": {"type": "object", "properties": {
    "session_id": {"type": "string", "description": "format:id"},
    "project": {"type": ["string", "null"]},
    "turn_number": {"type": "integer", "description": "from 0, for read_turn"},
    "score": {"type": "number"}, "snippet": {"type": "string"},
    "marks": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    "timestamp": {"type": "string", "description": "ISO 8601"},
    "cid": {"type": "string", "description": "the thought that matched best"},
    "conversation_cid": {"type": "string"}, "title": {"type": ["string", "null"]},
    "turn": {"type": "integer", "description": "the first turn, for wot_walk_sequence"},
    "hit_turn": {"type": "integer", "description": "the turn with the thought"}},
    "required": ["session_id", "turn_number", "score", "snippet", "timestamp"]}},
  "query": {"type": "string"},
  "total": {"type": "integer", "description": "number of matches"},
  "sealed_not_searched": {"type": "boolean"},
  "not_searched": {"type": "integer", "description": "thoughts with sealed text that no key opens"},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["results", "query", "total"]})",
      .call = search,
  };
  return tool;
}

}  // namespace weft::mcp
