// A tool call in a few words, whatever the tool's format calls its arguments.
#pragma once

#include "weft/base/json.hpp"

namespace weft::query {

// Of the content of a tool_request: {tool, …} with what tells the call from others of its kind:
//
//   {"tool": "Bash", "command": "ls beds"}        {"tool": "Edit", "file": "/beds.txt"}
//   {"tool": "web_search", "query": "tulips"}     {"tool": "browser", "action": "open"}
//   {"tool": "message", "target": "ada"}          {"tool": "Task", "task": "count the beds"}
//
// Long values are cut, with an …; one whose arguments are sealed or say nothing of the kind is its
// name alone.
json::object tool_summary(const json::object& content);

}  // namespace weft::query
