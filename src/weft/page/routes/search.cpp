// GET /api/search: blocks that match, best first.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/search/search_cursor.hpp"

namespace weft::page {
namespace {

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
  return query::search(asking.library, question);
}

}  // namespace

const Route& search_route() {
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
      .tool = "wot_thought_search",
      .answer = search,
  };
  return route;
}

}  // namespace weft::page
