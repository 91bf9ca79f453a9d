// GET /api/conversations: conversations by last change.
#include "weft/base/try.hpp"
#include "weft/page/forks.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> conversations(const Asking& asking) {
  const json::object& arguments = asking.arguments;
  WEFT_TRY_VALUE(const auto since, asking.moment("since", Bound::since));
  WEFT_TRY_VALUE(
      auto listed,
      query::list(asking.library, {.project = mcp::find_text_in(arguments, "project"),
                                   .format = mcp::find_text_in(arguments, "format"),
                                   .since = since,
                                   .title = mcp::find_text_in(arguments, "title"),
                                   .cursor = mcp::find_text_in(arguments, "cursor"),
                                   .fold = find_bool(arguments, "fold").value_or(false),
                                   .internal = find_bool(arguments, "internal").value_or(false),
                                   .limit = mcp::whole_in(arguments, "limit"),
                                   .clock = machine_clock()}));
  WEFT_TRY(add_forks(asking.library, listed["conversations"].as_array()));
  return listed;
}

}  // namespace

const Route& conversations_route() {
  static const std::string schema =
      object_shape("Conversations",
                   R"("conversations": )" +
                       array_of(conversation_shape("Conversation", std::string(kForkShape))) +
                       R"(, "total": {"type": "integer", "description": "number of matches"},
  "next_cursor": {"type": "string"}, )" +
                       std::string(kNotesShape),
                   R"("conversations", "total")");
  static const Route route = {
      .path = "/api/conversations",
      .parameters = {{.name = "project"},
                     {.name = "format"},
                     {.name = "since"},
                     {.name = "title"},
                     {.name = "cursor"},
                     {.name = "fold", .kind = mcp::Parameter::Kind::flag},
                     {.name = "internal", .kind = mcp::Parameter::Kind::flag},
                     {.name = "limit",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 50,
                      .least = 1,
                      .most = 1000}},
      .output_schema = schema,
      .answer = conversations,
  };
  return route;
}

}  // namespace weft::page
