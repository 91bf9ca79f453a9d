// wot_thought_search: searches thoughts.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/base/try.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

void append_result(std::string& out, std::uint64_t number, const json::object& result,
                   query::Names& names) {
  out += fmt::format("\n{}. {} {}{}, {}", number, query::kind_of(result),
                     query::brief(find_string(result, "cid").value_or("")), foreign_mark(result),
                     moment(result, "created_at"));
  if (const auto conversation = find_string(result, "conversation_cid")) {
    out += fmt::format(", in {}", in_quotes(text_or(result, "title", "untitled")));
    if (const auto project = find_string(result, "project")) {
      out += fmt::format(" (project {})", query::first_words(*project));
    }
    out += fmt::format(", conversation {} turn {}", query::brief(*conversation),
                       count_or_zero(result, "turn"));
  }
  if (count_or_zero(result, "places") > 1) {
    out += fmt::format(", occurs in {} places", count_or_zero(result, "places"));
  }
  out += '\n';
  append_quoted(out, "snippet", marked_snippet(result));
  if (const json::object* thought = find_object(result, "thought")) {
    append_thought(out, *thought, names);
  }
}

std::string render(const json::object& answer, const json::object& arguments,
                   const query::Library& library) {
  query::Names names(library);
  const json::array& results = list_in(answer, "results");
  const std::uint64_t offset = whole_in(arguments, "offset");
  const std::uint64_t total = count_or_zero(answer, "total");
  std::string out = total == 0
                        ? "Nothing was found. Try fewer or other words, or leave filters out.\n"
                        : fmt::format("{} found, best first: {}.\n", count(total, "thought"),
                                      span_of(offset, results.size(), total));
  if (!results.empty() && offset + results.size() < total) {
    json::object next = arguments;
    next["offset"] = offset + results.size();
    out += "More: " + call_of("wot_thought_search", next) + "\n";
  }
  for (const json::value& note : list_in(answer, "notes")) {
    if (note.is_string()) out.append(view(note.get_string())).append("\n");
  }
  if (!results.empty()) {
    const json::object& first = results.front().as_object();
    out += "Read one with wot_thought_get, its causes with wot_walk_because, for example " +
           call_of("wot_walk_because",
                   {{"cid", query::brief(find_string(first, "cid").value_or(""))}}) +
           "\n";
  }
  out += sealed_note(answer, library.keyring);
  std::uint64_t number = offset;
  for (const json::value& result : results) append_result(out, ++number, result.as_object(), names);
  return out;
}

// Each result with the thought itself.
Status add_thoughts(const query::Library& library, json::object& answer) {
  for (json::value& value : answer.at("results").as_array()) {
    json::object& result = value.as_object();
    WEFT_TRY_VALUE(auto cid, Cid::parse(find_string(result, "cid").value_or("")));
    Result<json::object> thought = query::get(library, cid, query::Layers::open);
    if (!thought && thought.error().code == ErrorCode::not_found) continue;
    if (!thought) return fail(std::move(thought).error());
    result["thought"] = *std::move(thought);
  }
  return {};
}

Named<query::SearchOptions> to_question(const Call& call) {
  const json::object& arguments = call.arguments();
  query::SearchOptions question{.query = text_in(arguments, "query"),
                                .limit = whole_in(arguments, "limit"),
                                .offset = whole_in(arguments, "offset")};
  if (auto type = find_text_in(arguments, "type_filter"))
    question.types.push_back(*std::move(type));
  if (auto project = find_text_in(arguments, "project")) {
    question.projects.push_back(*std::move(project));
  }
  if (auto role = find_text_in(arguments, "role")) question.roles.push_back(*std::move(role));
  if (find_text_in(arguments, "conversation_cid")) {
    Named<store::ConversationRow> row = conversation_named(call, "conversation_cid");
    if (!row) return std::unexpected(std::move(row).error());
    question.conversation = *std::move(row);
  }
  for (const auto& [argument, edge, time] : {std::tuple("since", Edge::from, &question.since),
                                             std::tuple("until", Edge::to, &question.until)}) {
    Named<std::optional<Millis>> moment = moment_named(call, argument, edge);
    if (!moment) return std::unexpected(std::move(moment).error());
    *time = *moment;
  }
  return question;
}

Served<> search(Call& call) {
  const query::Library& library = call.library();
  Named<query::SearchOptions> question = to_question(call);
  if (!question) return std::move(question).error();
  Result<json::object> answer = query::search(library, *question);
  if (!answer) return no_answer(call, answer.error());
  if (text_in(call.arguments(), "response_format") == "detailed") {
    if (Status added = add_thoughts(library, *answer); !added) {
      return no_answer(call, added.error());
    }
  }
  leave_out(*answer, "results", room_in(call));
  return tool_result(call, *std::move(answer), [&](const json::object& structured) {
    return render(structured, call.arguments(), library);
  });
}

}  // namespace

const Tool& wot_thought_search_tool() {
  static const Tool tool = {
      .name = "wot_thought_search",
      .title = "Search thoughts",
      .description =
          R"(Searches every block of every conversation (BM25): messages of people and models, reasoning and its summaries, tool calls and their results, compactions, attachments, subagents. Any of the words may match; blocks with more and rarer words rank higher, so use a few distinctive ones.

In the query: "a phrase", +must, -not, prefix*, and filters type:thinking tool:Bash role:human project:looms session:ID since:2026-10-01 until:2026-10-31. Nothing is a syntax error.

Use it to find out whether, where and when something was said, decided or done. For whole turns (a prompt and its answer) use search_conversations. Then read a hit with wot_thought_get, its context with wot_walk_sequence (conversation_cid, turn), and its causes with wot_walk_because.

`total` counts all matches; page with offset. response_format "detailed" adds each complete thought.

Example: wot_thought_search {"query": "\"out of memory\" linker", "type_filter": "tool_result", "limit": 5})",
      .parameters = {{.name = "query",
                      .description = "Words to search for; may contain filters.",
                      .is_required = true},
                     {.name = "type_filter",
                      .description =
                          "Only this kind (thinking, response, human_input, tool_request, "
                          "tool_result, summary, compaction…) or type (anthropic/thinking)."},
                     {.name = "project", .description = "Only this project."},
                     {.name = "conversation_cid",
                      .description = "Only this conversation: CID, 8 or more of its hex digits, "
                                     "session id, or format:session_id."},
                     {.name = "role",
                      .description = "Only turns of this role.",
                      .one_of = {"human", "assistant", "system"}},
                     {.name = "since",
                      .description = "Only at or after this time: 2026-10-01, or with a time."},
                     {.name = "until",
                      .description = "Only at or before this time; a date includes the whole day."},
                     limit_of(kMaxResults, 20, 200),
                     offset_of(kSkipResults),
                     {.name = "response_format",
                      .description = "concise: snippets; detailed: the whole thoughts as well.",
                      .one_of = {"concise", "detailed"},
                      .preset_text = "concise"},
                     max_chars()},
      .example = R"({"query": "loom shuttle stuck", "limit": 5})",
      .output_schema = R"({"type": "object", "properties": {
  "query": {"type": "string"},
  "total": {"type": "integer", "description": "number of matches"},
  "results": {"type": "array", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "type": {"type": "string"}, "score": {"type": "number"},
    "snippet": {"type": "string"},
    "marks": {"type": "array", "description": "which code points of the snippet match: from, to",
      "items": {"type": "array", "items": {"type": "integer"}}},
    "conversation_cid": {"type": ["string", "null"]}, "session_id": {"type": ["string", "null"]},
    "title": {"type": ["string", "null"]}, "project": {"type": ["string", "null"]},
    "turn": {"type": ["integer", "null"]},
    "created_at": {"type": "integer", "description": "ms since 1970"},
    "places": {"type": "integer", "description": "number of places where the thought occurs"},
    "thought": {"type": "object", "description": "with response_format detailed"}},
    "required": ["cid", "type", "score", "snippet", "created_at", "places"]}},
  "sealed_not_searched": {"type": "boolean"},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["query", "total", "results"]})",
      .call = search,
  };
  return tool;
}

}  // namespace weft::mcp
