// What an agent says when it calls a hook: one JSON object on stdin.
//
//   {"session_id": "…", "transcript_path": "/home/ada/.claude/projects/-p/….jsonl",
//    "hook_event_name": "SubagentStop", "agent_transcript_path": "…", …}
//
// Any event will do: what matters is which files have grown.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::capture {

struct HookEvent {
  std::string name{};                          // "Stop"; empty if it does not say
  std::vector<std::filesystem::path> files{};  // of the session, and of the subagent that ended
};

// invalid_input, naming what is wrong and nothing of what was said, if it is no such object.
Result<HookEvent> parse_hook_event(std::string_view text);

// Reads such an object from a pipe that may bring too much, or never end: no more than `limit`
// bytes, no longer than `patience`. Whoever leaves the pipe open after the object is not waited
// for. invalid_input if it is too long, unavailable if it did not come in time.
Result<HookEvent> read_hook_event(int descriptor, std::size_t limit,
                                  std::chrono::milliseconds patience);

}  // namespace weft::capture
