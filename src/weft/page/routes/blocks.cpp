// GET /api/conversations/CONV/blocks: blocks by their ordinals in the outline.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> blocks(const Asking& asking) {
  WEFT_TRY_VALUE(const auto row, asking.conversation());
  return query::blocks(asking.library, row,
                       {.branch = mcp::find_text_in(asking.arguments, "branch"),
                        .all = find_bool(asking.arguments, "all").value_or(false),
                        .from = mcp::whole_in(asking.arguments, "from"),
                        .limit = mcp::whole_in(asking.arguments, "limit"),
                        .cut = mcp::whole_in(asking.arguments, "cut"),
                        .control = {.stop = asking.stop}});
}

}  // namespace

const Route& blocks_route() {
  static const std::string schema =
      object_shape("Blocks",
                   R"("conversation_cid": {"type": "string"}, "count": {"type": "integer"},
  "from": {"type": "integer"}, "blocks": )" +
                       array_of(thought_shape(
                           "Block", R"("ordinal": {"type": "integer"}, "turn": {"type": "integer"},
  "lengths": {"type": "object", "additionalProperties": {"type": "integer"},
    "description": "full lengths of texts that were cut, by JSON pointer"},
  "superseded": {"type": "boolean"}, "other_branch": {"type": "boolean"},
  "summary": {"title": "ReasoningSummary", "type": "object", "description": "of reasoning that cannot be read",
    "properties": {"cid": {"type": "string"}, "text": {"type": "string"}}, "required": ["cid", "text"]})",
                           R"("ordinal", "turn")")),
                   R"("conversation_cid", "count", "from", "blocks")");
  static const Route route = {
      .path = "/api/conversations/{conversation}/blocks",
      .parameters = {{.name = "branch"},
                     {.name = "all", .kind = mcp::Parameter::Kind::flag},
                     {.name = "from", .kind = mcp::Parameter::Kind::whole, .preset = 0},
                     {.name = "limit",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 50,
                      .least = 1,
                      .most = 500},
                     {.name = "cut",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 2'000,
                      .most = 10'000'000}},
      .output_schema = schema,
      .answer = blocks,
  };
  return route;
}

}  // namespace weft::page
