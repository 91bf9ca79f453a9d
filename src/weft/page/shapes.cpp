#include "weft/page/shapes.hpp"

namespace weft::page {
namespace {

constexpr std::string_view kTimes = R"("thinking_ms": {"type": ["integer", "null"]},
  "response_ms": {"type": ["integer", "null"]}, "tool_ms": {"type": ["integer", "null"]},
  "waiting_ms": {"type": ["integer", "null"]}, "tool_calls": {"type": "integer"},
  "tool_errors": {"type": "integer"}, "turn_count": {"type": "integer"})";
constexpr std::string_view kTimesRequired =
    R"("thinking_ms", "response_ms", "tool_ms", "waiting_ms", "tool_calls", "tool_errors", "turn_count")";

std::string joined(std::string_view first, std::string_view more) {
  std::string all(first);
  if (!more.empty()) all.append(", ").append(more);
  return all;
}

}  // namespace

constinit const std::string_view kNotesShape =
    R"("notes": {"type": "array", "items": {"type": "string"}},
  "behind": {"title": "Behind", "type": "object", "properties": {"done": {"type": "integer"},
    "all": {"type": "integer"}}, "required": ["done", "all"],
    "description": "how many rows of tables were there already"})";
constinit const std::string_view kForkShape =
    R"("fork": {"title": "Fork", "type": "object", "properties": {
    "of": {"type": "string", "description": "the conversation that it was forked or resumed from"},
    "shared": {"type": "integer", "description": "blocks that stood there before"},
    "blocks": {"type": "integer"}}, "required": ["of", "shared", "blocks"]})";

std::string object_shape(std::string_view title, const std::string& properties,
                         std::string_view required) {
  return R"({"title": ")" + std::string(title) + R"(", "type": "object", "properties": {)" +
         properties + R"(}, "required": [)" + std::string(required) + "]}";
}

std::string array_of(const std::string& items) {
  return R"({"type": "array", "items": )" + items + "}";
}

std::string thought_shape(std::string_view title, const std::string& more,
                          std::string_view more_required) {
  static const std::string members = R"("cid": {"type": "string"}, "type": {"type": "string"},
  "content": {"type": "object"}, "created_by": {"type": "string"},
  "created_at": {"type": "integer", "description": "ms since 1970"},
  "source": {"type": "string"},
  "because": {"type": "array", "items": {"title": "Reference", "type": "object", "properties": {
    "thought_cid": {"type": "string"},
    "anchor": {"title": "Anchor", "type": "object", "properties": {"exact": {"type": "string"},
      "prefix": {"type": "string"}, "suffix": {"type": "string"}},
      "required": ["exact", "prefix", "suffix"]}}, "required": ["thought_cid"]}},
  "signature": {"type": "string"},
  "foreign": {"type": "boolean", "description": "signed by another than the owner"},
  "witnessed": {"title": "Witness", "type": "object", "description": "weft record heard it",
    "properties": {"attestation": {"type": "string"}, "by": {"type": "string"},
      "at": {"type": "integer", "description": "ms since 1970"},
      "request_sha256": {"type": "string"}, "response_sha256": {"type": "string"}},
    "required": ["attestation", "by", "at"]},
  "masked": {"type": "array", "items": {"type": "string"},
    "description": "what is masked in its content, such as github-token"})";
  return object_shape(
      title, joined(members, more),
      joined(R"("cid", "type", "content", "created_by", "created_at", "because", "signature")",
             more_required));
}

std::string conversation_shape(std::string_view title, const std::string& more,
                               std::string_view more_required) {
  static const std::string members = R"("cid": {"type": "string"}, "session_id": {"type": "string"},
  "format": {"type": "string"}, "source": {"type": "string", "description": "primary, or subagent:<id>"},
  "project": {"type": ["string", "null"]}, "cwd": {"type": ["string", "null"]},
  "git_branch": {"type": ["string", "null"]}, "title": {"type": ["string", "null"]},
  "summary": {"type": ["string", "null"]},
  "created_at": {"type": "integer", "description": "ms since 1970"},
  "updated_at": {"type": "integer", "description": "ms since 1970"},
  "turn_count": {"type": "integer"}, "thought_count": {"type": "integer"},
  "models": {"type": "array", "items": {"type": "string"}},
  "parent": {"type": "string", "description": "the conversation whose call spawned it"},
  "internal": {"type": "boolean", "description": "a program spoke to itself"},
  "subagents": {"type": "integer", "description": "with fold: conversations that it spawned"},
  "foreign": {"type": "boolean"})";
  return object_shape(
      title, joined(members, more),
      joined(
          R"("cid", "session_id", "format", "source", "project", "cwd", "git_branch", "title", "summary",
  "created_at", "updated_at", "turn_count", "thought_count", "models")",
          more_required));
}

std::string stats_shape() {
  static const std::string counts =
      R"({"type": "object", "additionalProperties": {"type": "integer"}})";
  return object_shape(
      "Stats",
      std::string(kTimes) + R"(, "conversations": {"type": "integer"}, "by_type": )" + counts +
          R"(, "by_tool": )" + counts + R"(, "by_model": )" + counts + R"(, "tokens": )" +
          object_shape("Tokens", R"("input": {"type": "integer"}, "output": {"type": "integer"},
  "cache_read": {"type": "integer"}, "cache_write": {"type": "integer"},
  "estimated": {"type": "integer", "description": "if the source does not count them"})",
                       R"("input", "output", "cache_read", "cache_write", "estimated")") +
          ", " + std::string(kNotesShape),
      joined(kTimesRequired, R"("conversations", "by_type", "by_tool", "by_model", "tokens")"));
}

std::string days_shape() {
  const std::string day = object_shape(
      "Day",
      std::string(kTimes) + R"(, "day": {"type": "string"}, "block_count": {"type": "integer"})",
      joined(kTimesRequired, R"("day", "block_count")"));
  return object_shape("Days",
                      R"("zone": {"type": "string"}, "days": )" + array_of(day) +
                          R"(, "undated_blocks": {"type": "integer"}, )" + std::string(kNotesShape),
                      R"("zone", "days")");
}

std::string trace_shape() {
  const std::string reached = thought_shape(
      "Reached",
      R"("depth": {"type": "integer", "description": "steps from the start, which has 0"},
  "reached_by": {"type": "string", "description": "the edge; not at the start"},
  "reached_from": {"type": "string", "description": "the CID at its other end"},
  "summary": {"title": "ReasoningSummary", "type": "object", "description": "of reasoning that cannot be read",
    "properties": {"cid": {"type": "string"}, "text": {"type": "string"}}, "required": ["cid", "text"]})",
      R"("depth")");
  return object_shape("Trace",
                      R"("thoughts": )" + array_of(reached) +
                          R"(, "truncated": {"type": "boolean", "description": "there are more"})",
                      R"("thoughts", "truncated")");
}

}  // namespace weft::page
