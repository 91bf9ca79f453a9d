// Reads the event with which an agent calls a hook: one JSON object on stdin.
//
//   {"session_id": "…", "transcript_path": "/home/ada/.claude/projects/-p/….jsonl",
//    "hook_event_name": "SubagentStop", "agent_transcript_path": "…", …}
//
// Every event is accepted: only the files that have grown matter.
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
  std::string name{};                          // "Stop"; empty if it has none
  std::string source{};                        // of a SessionStart: "startup", "compact"…
  std::string session{};                       // its id
  std::vector<std::filesystem::path> files{};  // of the session, and of the subagent that ended
};

// invalid_input if it is not such an object; the error quotes nothing of the text.
Result<HookEvent> parse_hook_event(std::string_view text);

// Reads such an object from a pipe that may be endless: at most `limit` bytes, for at most
// `patience`. Returns after the object, even if the pipe stays open. invalid_input if it is too
// long, unavailable if it did not arrive in time.
Result<HookEvent> read_hook_event(int descriptor, std::size_t limit,
                                  std::chrono::milliseconds patience);

}  // namespace weft::capture
