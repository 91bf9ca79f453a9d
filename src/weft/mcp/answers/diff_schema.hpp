// JSON Schema of the answer of query::diff, for the tool and for the page.
#pragma once

#include <string_view>

namespace weft::mcp {

inline constexpr std::string_view kDiffSchema = R"({"type": "object", "properties": {
  "conversation_cid": {"type": "string"}, "block_cid": {"type": "string"},
  "files": {"type": "array", "items": {"type": "object", "properties": {
    "path": {"type": "string"},
    "status": {"type": "string", "enum": ["added", "changed", "removed", "moved"]},
    "moved_from": {"type": "string"}, "whole": {"type": "boolean"},
    "added": {"type": "integer"}, "removed": {"type": "integer"},
    "edits": {"type": "array", "items": {"type": "object", "properties": {
      "cid": {"type": "string"}, "result_cid": {"type": "string"}, "time": {"type": "integer"},
      "file": {"type": "integer"}},
      "required": ["cid", "time"]}},
    "hunks": {"type": "array", "items": {"type": "object", "properties": {
      "before_first": {"type": ["integer", "null"]}, "before_count": {"type": "integer"},
      "after_first": {"type": ["integer", "null"]}, "after_count": {"type": "integer"},
      "lines": {"type": "array", "items": {"type": "string"}}},
      "required": ["before_first", "before_count", "after_first", "after_count", "lines"]}}},
    "required": ["path", "status", "whole", "added", "removed", "edits", "hunks"]}},
  "added": {"type": "integer"}, "removed": {"type": "integer"}, "sealed": {"type": "integer"}},
  "required": ["conversation_cid", "files", "added", "removed"]})";

}  // namespace weft::mcp
