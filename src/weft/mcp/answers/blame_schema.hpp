// JSON Schema of the members of the answer of query::blame, for the tool and for the page.
#pragma once

#include <string_view>

namespace weft::mcp {

// Of the answer, without `runs`; ends with a comma.
inline constexpr std::string_view kBlameShape = R"(
  "path": {"type": "string"}, "repository": {"type": "string"},
  "rev": {"type": ["string", "null"]}, "lines": {"type": "integer"},
  "answered": {"type": "integer"}, "weak": {"type": "integer"}, "silent": {"type": "object"},
  "notes": {"type": "array", "items": {"type": "string"}},
  )";

// Of one run; `first` and `last` are required.
inline constexpr std::string_view kBlameRunShape = R"(
    "first": {"type": "integer"}, "last": {"type": "integer"},
    "commit": {"type": "object", "properties": {"sha": {"type": "string"},
      "subject": {"type": "string"}, "author": {"type": "string"},
      "author_time": {"type": "integer"}}, "required": ["sha", "subject", "author", "author_time"]},
    "rule": {"type": "string", "enum": ["replayed", "written", "reported", "earlier"]},
    "sure": {"type": "string", "enum": ["certain", "likely", "weak"]},
    "reported_by": {"type": "string", "enum": ["Weft-Thought", "git-ai"]},
    "request_cid": {"type": "string"}, "conversation_cid": {"type": "string"},
    "session_id": {"type": "string"}, "title": {"type": ["string", "null"]},
    "time": {"type": "integer"}, "model": {"type": "string"},
    "thinking_cid": {"type": "string"}, "prompt_cid": {"type": "string"},
    "reason": {"type": "string"}, "silence": {"type": "string", "enum": ["no_edit_of_path",
      "older_than_sessions", "too_short", "not_this_line", "not_in_git"]})";

}  // namespace weft::mcp
