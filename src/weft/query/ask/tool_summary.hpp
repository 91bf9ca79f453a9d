// Summarizes a tool call in a few words, whatever the tool calls its arguments.
#pragma once

#include "weft/base/json.hpp"

namespace weft::query {

// For the content of a tool_request: {tool, …} with the arguments that distinguish the call:
//
//   {"tool": "Bash", "command": "ls beds"} {"tool": "Edit", "file": "/beds.txt"}
//   {"tool": "web_search", "query": "tulips"} {"tool": "browser", "action": "open"}
//   {"tool": "message", "target": "ada"} {"tool": "Task", "task": "count the beds"}
//
// Long values are cut, with an …; a call with sealed or unknown arguments has its tool's name
// alone.
json::object tool_summary(const json::object& content);

}  // namespace weft::query
