// GET /api/conversations/CONV/outline: a conversation as columns, without texts.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> outline(const Asking& asking) {
  WEFT_TRY_VALUE(const auto row, asking.conversation());
  query::OutlineOptions options{.branch = mcp::find_text_in(asking.arguments, "branch"),
                                .all = find_bool(asking.arguments, "all").value_or(false),
                                .from = mcp::whole_in(asking.arguments, "from"),
                                .control = {.stop = asking.stop}};
  if (const auto limit = mcp::find_whole_in(asking.arguments, "limit")) options.limit = *limit;
  return query::outline(asking.library, row, options);
}

}  // namespace

const Route& outline_route() {
  static const Route route = {
      .path = "/api/conversations/{conversation}/outline",
      .parameters = {{.name = "branch"},
                     {.name = "all", .kind = mcp::Parameter::Kind::flag},
                     {.name = "from", .kind = mcp::Parameter::Kind::whole, .preset = 0},
                     {.name = "limit", .kind = mcp::Parameter::Kind::whole}},
      .output_schema = R"({"title": "Outline", "type": "object", "properties": {
  "conversation_cid": {"type": "string"}, "count": {"type": "integer"}, "from": {"type": "integer"},
  "kinds": {"type": "array", "items": {"type": "string"}},
  "tools": {"type": "array", "items": {"type": "string"}},
  "flags": {"type": "array", "items": {"type": "string"}},
  "columns": {"title": "Columns", "type": "object", "properties": {
    "kind": {"type": "array", "items": {"type": "integer"}},
    "time": {"type": "array", "items": {"type": "integer"}},
    "duration_ms": {"type": "array", "items": {"type": ["integer", "null"]}},
    "length": {"type": "array", "items": {"type": ["integer", "null"]}},
    "tool": {"type": "array", "items": {"type": ["integer", "null"]}},
    "flags": {"type": "array", "items": {"type": "integer"}},
    "turn": {"type": "array", "items": {"type": "integer"}},
    "causes": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}},
    "required": ["kind", "time", "duration_ms", "length", "tool", "flags", "turn", "causes"]},
  "elsewhere": {"type": "array", "items": {"title": "Elsewhere", "type": "object", "properties": {
    "ordinal": {"type": "integer"}, "cid": {"type": "string"}}, "required": ["ordinal", "cid"]}},
  "sealed": {"type": "integer"}, "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["conversation_cid", "count", "from", "kinds", "tools", "flags", "columns", "elsewhere"]})",
      .answer = outline,
  };
  return route;
}

}  // namespace weft::page
