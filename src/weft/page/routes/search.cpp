// GET /api/search: blocks that match, best first.
#include <span>

#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/search/search_cursor.hpp"

namespace weft::page {
namespace {

// What a list of results says of a block besides: the tool that was called, and whether it has text
// that is stored sealed.
Status add_block_facts(const query::Library& library, json::object& result) {
  WEFT_TRY_VALUE(const auto cid, Cid::parse(find_string(result, "cid").value_or("")));
  WEFT_TRY_VALUE(const auto handle, library.web.find_handle(cid));
  if (!handle) return {};
  WEFT_TRY(library.web.each_facts(std::span(&*handle, 1), library.keyring,
                                  [&](const store::BlockFacts& facts) {
                                    if (facts.stated.tool) result["tool"] = *facts.stated.tool;
                                  }));
  WEFT_TRY_VALUE(const auto thought, library.web.get_without_path(cid));
  if (thought.content.contains("$layers")) result["sealed"] = true;
  return {};
}

Result<json::object> search(const Asking& asking) {
  const json::object& arguments = asking.arguments;
  query::SearchOptions question{.query = mcp::text_in(arguments, "q"),
                                .limit = mcp::whole_in(arguments, "limit"),
                                .cursor = mcp::text_in(arguments, "cursor")};
  question.clock = query::clock_at(question.cursor, machine_clock());
  if (mcp::text_in(arguments, "group") == "session") question.group = query::SearchGroup::session;
  if (auto type = mcp::find_text_in(arguments, "type")) question.types.push_back(*std::move(type));
  if (auto project = mcp::find_text_in(arguments, "project")) {
    question.projects.push_back(*std::move(project));
  }
  if (auto role = mcp::find_text_in(arguments, "role")) question.roles.push_back(*std::move(role));
  WEFT_TRY_VALUE(question.since, asking.moment("since", Bound::since));
  WEFT_TRY_VALUE(question.until, asking.moment("until", Bound::until));
  if (const auto named = mcp::find_text_in(arguments, "conversation")) {
    WEFT_TRY_VALUE(question.conversation, query::resolve_conversation(asking.library, *named));
  }
  WEFT_TRY_VALUE(auto found, query::search(asking.library, question));
  for (json::value& result : found["results"].as_array()) {
    WEFT_TRY(add_block_facts(asking.library, result.as_object()));
  }
  return found;
}

}  // namespace

const Route& search_route() {
  static const std::string schema = object_shape(
      "Hits",
      R"("query": {"type": "string"}, "total": {"type": "integer", "description": "number of matches"},
  "results": )" +
          array_of(object_shape("Hit", R"("cid": {"type": "string"}, "type": {"type": "string"},
  "score": {"type": "number"}, "snippet": {"type": "string"},
  "marks": {"type": "array", "description": "which code points of the snippet match: from, to",
    "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}},
  "conversation_cid": {"type": ["string", "null"]}, "session_id": {"type": ["string", "null"]},
  "title": {"type": ["string", "null"]}, "project": {"type": ["string", "null"]},
  "turn": {"type": ["integer", "null"]},
  "created_at": {"type": "integer", "description": "ms since 1970"},
  "places": {"type": "integer", "description": "number of places where the thought occurs"},
  "more": {"type": "integer", "description": "with group session: further matches there"},
  "tool": {"type": "string", "description": "that a call called"},
  "sealed": {"type": "boolean", "description": "it has text that is stored sealed"},
  "foreign": {"type": "boolean"})",
                                R"("cid", "type", "score", "snippet", "marks", "conversation_cid",
  "session_id", "title", "project", "turn", "created_at", "places")")) +
          R"(, "next_cursor": {"type": "string", "description": "of the next page, if there is one"},
  "sealed_not_searched": {"type": "boolean"},
  "not_searched": {"type": "integer", "description": "thoughts with sealed text that no key opens"},
  "notes": {"type": "array", "items": {"type": "string"}})",
      R"("query", "total", "results")");
  static const Route route = {
      .path = "/api/search",
      .parameters = {{.name = "q", .is_required = true},
                     {.name = "type"},
                     {.name = "project"},
                     {.name = "role", .one_of = {"human", "assistant", "system"}},
                     {.name = "since"},
                     {.name = "until"},
                     {.name = "conversation"},
                     {.name = "group", .one_of = {"session"}},
                     {.name = "cursor"},
                     {.name = "limit",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 20,
                      .least = 1,
                      .most = 200}},
      .output_schema = schema,
      .answer = search,
  };
  return route;
}

}  // namespace weft::page
