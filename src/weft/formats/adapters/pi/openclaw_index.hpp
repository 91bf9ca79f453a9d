// Parses sessions.json, which OpenClaw keeps beside the sessions of an agent: their titles, and
// the sessions that spawned them.
//
//   {"agent:main:main":{"sessionId":"9f1c…","displayName":"Garden"},
//    "agent:main:subagent:77":{"sessionId":"a2…","spawnedBy":"agent:main:main"}}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/transcript/conversation.hpp"

namespace weft::formats::openclaw {

inline constexpr std::string_view kIndexName = "sessions.json";

struct IndexEntry {
  std::optional<std::string> title;
  // By the key that the spawning call was given for it.
  std::optional<transcript::Origin> origin;
};

// The entry of a session in `index`, the text of the file. Empty if the session or the JSON object
// is not found.
IndexEntry find_in_index(std::string_view index, std::string_view session_id);

}  // namespace weft::formats::openclaw
