// GET /api/conversations/CONV: one conversation, as in a list.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> conversation(const Asking& asking) {
  WEFT_TRY_VALUE(const auto row, asking.conversation());
  return query::describe(asking.library, row);
}

}  // namespace

const Route& conversation_route() {
  static const Route route = {
      .path = "/api/conversations/{conversation}",
      .output_schema = R"({"type": "object", "properties": {
  "cid": {"type": "string"}, "session_id": {"type": "string"}, "format": {"type": "string"},
  "source": {"type": "string"}, "project": {"type": ["string", "null"]},
  "cwd": {"type": ["string", "null"]}, "git_branch": {"type": ["string", "null"]},
  "title": {"type": ["string", "null"]}, "summary": {"type": ["string", "null"]},
  "created_at": {"type": "integer"}, "updated_at": {"type": "integer"},
  "turn_count": {"type": "integer"}, "thought_count": {"type": "integer"},
  "models": {"type": "array", "items": {"type": "string"}},
  "parent": {"type": "string"}, "internal": {"type": "boolean"}},
  "required": ["cid", "session_id", "format", "created_at", "updated_at", "turn_count", "thought_count", "models"]})",
      .answer = conversation,
  };
  return route;
}

}  // namespace weft::page
