// GET /api/keeper: what the keeper of a store on a server does, and what it found.
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

Result<json::object> keeper(const Asking& asking) {
  if (!asking.context.keeper) {
    return fail(ErrorCode::not_found, "a store in a file has no keeper");
  }
  return asking.context.keeper();
}

}  // namespace

const Route& keeper_route() {
  static const Route route = {
      .path = "/api/keeper",
      .output_schema = R"({"title": "Keeper", "type": "object", "properties": {
  "is_kept": {"type": "boolean", "description": "whether a process keeps the web now"},
  "keeper": {"anyOf": [{"title": "KeptBy", "type": "object", "properties": {
    "name": {"type": "string"}, "since": {"type": "integer"}}, "required": ["name", "since"]}, {"type": "null"}]},
  "behind": {"type": "integer", "description": "how many rows are still to be checked"},
  "checked": {"type": "integer"}, "rounds": {"type": "integer"},
  "findings": {"type": "array", "items": {"title": "KeeperFinding", "type": "object", "properties": {
    "cid": {"type": "string"}, "kind": {"type": "string", "enum": ["bad", "missing", "foreign"]}},
    "required": ["cid", "kind"]}},
  "forgotten": {"type": "array", "items": {"title": "CarriedOut", "type": "object", "properties": {
    "tombstone": {"type": "string"}, "conversations": {"type": "array", "items": {"type": "string"}},
    "thoughts": {"type": "integer"}, "at": {"type": "integer"}},
    "required": ["tombstone", "conversations", "thoughts", "at"]}},
  "waiting": {"type": "array", "items": {"title": "WaitingToForget", "type": "object", "properties": {
    "tombstone": {"type": "string"}, "conversations": {"type": "array", "items": {"type": "string"}},
    "why": {"type": "string"}}, "required": ["tombstone", "conversations", "why"]}},
  "wiped": {"type": "boolean"}, "merged_at": {"type": ["integer", "null"]},
  "analyzed_at": {"type": ["integer", "null"]}, "error": {"type": ["string", "null"]}},
  "required": ["is_kept", "keeper", "behind", "checked", "rounds", "findings", "forgotten", "waiting", "wiped", "merged_at", "analyzed_at", "error"]})",
      .pace = Route::Pace::slow,
      .right = net::Right::keeper,
      .answer = keeper,
  };
  return route;
}

}  // namespace weft::page
