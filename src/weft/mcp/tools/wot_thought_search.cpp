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
#include "weft/query/search/search_cursor.hpp"
#include "weft/query/search/search_types.hpp"

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
  if (count_or_zero(result, "more") > 0) {
    out += fmt::format(", {} more there", count_or_zero(result, "more"));
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
  if (const auto cursor = find_string(answer, "next_cursor")) {
    json::object next = arguments;
    next.erase("offset");
    next["cursor"] = *cursor;
    out += "More: " + call_of("wot_thought_search", next) + "\n";
  }
  out += notes_in(answer);
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
                                .offset = whole_in(arguments, "offset"),
                                .cursor = text_in(arguments, "cursor")};
  question.clock = query::clock_at(question.cursor, machine_clock());
  if (text_in(arguments, "group") == "session") question.group = query::SearchGroup::session;
  if (auto type = find_text_in(arguments, "type_filter")) {
    const std::string fault = query::fault_of_type(*type);
    if (!fault.empty()) return std::unexpected(refused("type_filter '" + *type + "': " + fault));
    question.types.push_back(*std::move(type));
  }
  if (auto project = find_text_in(arguments, "project")) {
    question.projects.push_back(*std::move(project));
  }
  if (auto role = find_text_in(arguments, "role")) question.roles.push_back(*std::move(role));
  if (find_text_in(arguments, "conversation_cid")) {
    Named<store::ConversationRow> row = conversation_named(call, "conversation_cid");
    if (!row) return std::unexpected(std::move(row).error());
    question.conversation = *std::move(row);
  }
  for (const auto& [argument, bound, time] : {std::tuple("since", Bound::since, &question.since),
                                              std::tuple("until", Bound::until, &question.until)}) {
    Named<std::optional<Millis>> moment = moment_named(call, argument, bound, question.clock);
    if (!moment) return std::unexpected(std::move(moment).error());
    *time = *moment;
  }
  return question;
}

Result<json::object> page_of(const query::Library& library, const query::SearchOptions& question,
                             bool is_detailed) {
  WEFT_TRY_VALUE(auto answer, query::search(library, question));
  if (is_detailed) WEFT_TRY(add_thoughts(library, answer));
  return answer;
}

Served<> search(Call& call) {
  const query::Library& library = call.library();
  Named<query::SearchOptions> question = to_question(call);
  if (!question) return std::move(question).error();
  const bool is_detailed = text_in(call.arguments(), "response_format") == "detailed";
  Result<json::object> answer = page_of(library, *question, is_detailed);
  if (answer && leave_out(*answer, "results", room_in(call))) {
    // The cursor continues after the last result that there is room for.
    question->limit = list_in(*answer, "results").size();
    answer = page_of(library, *question, is_detailed);
  }
  if (!answer) return no_answer(call, answer.error());
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
          R"(Searches every block of every conversation, best first: messages, reasoning, tool calls and results, summaries, subagents. Use it to find what was said, decided or done; a few rare words work best. Then wot_thought_get reads a hit, wot_walk_sequence its context (conversation_cid, turn), wot_walk_because its causes. For whole turns use search_conversations.
Query: any words, "a phrase", +must, -not, prefix*, type:thinking tool:Bash role:human project:x session:ID since:2w until:yesterday.)",
      .parameters =
          {{.name = "query", .is_required = true},
           {.name = "type_filter",
            .description = "thinking, response, human_input, tool_result… or anthropic/thinking."},
           {.name = "project"},
           {.name = "conversation_cid", .description = kConversationName},
           {.name = "role", .one_of = {"human", "assistant", "system"}},
           {.name = "since", .description = kSince},
           {.name = "until", .description = "A day is included."},
           limit_of(20, 200),
           offset_of(),
           {.name = "cursor", .description = "next_cursor of the page before."},
           {.name = "group", .description = "One hit for each session.", .one_of = {"session"}},
           {.name = "response_format",
            .description = "detailed adds whole thoughts.",
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
    "more": {"type": "integer", "description": "with group session: further matches there"},
    "thought": {"type": "object", "description": "with response_format detailed"}},
    "required": ["cid", "type", "score", "snippet", "created_at", "places"]}},
  "next_cursor": {"type": "string", "description": "of the next page, if there is one"},
  "sealed_not_searched": {"type": "boolean"},
  "not_searched": {"type": "integer", "description": "thoughts with sealed text that no key opens"},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["query", "total", "results"]})",
      .call = search,
  };
  return tool;
}

}  // namespace weft::mcp
