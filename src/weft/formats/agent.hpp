// Agent: a tool for which weft writes new sessions, so that it continues a conversation that
// another one began (docs/resume.md). An agent is one file, adapters/codex/writing/agent.cpp and
// the like, which defines `const Agent& NAME_agent() {`; what agents share is in
// writing/session_dialogue.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

// A session that is about to be written.
struct NewSession {
  std::string id;   // a UUIDv7, never used before
  std::string cwd;  // the folder that the tool works in, absolute
  Millis now = 0;   // the time of what has none of its own
  // A variable of the environment; empty if it is not set.
  std::function<std::optional<std::string>(std::string_view name)> environment{};
};

struct NativeSession {
  std::string path;  // a file that does not exist, in a folder of the tool's own
  std::string text;
  std::vector<std::string> command;  // continues the session when it is run in the cwd
  std::vector<std::string> notes{};  // "2 × failure, left out"; never quotes the conversation
};

struct Agent {
  std::string_view name;    // as the user types it: "claude"
  std::string_view format;  // the name of the adapter that reads its sessions
  // The family of the blocks whose signed thinking its provider takes back.
  std::string_view family;
  // The size of a session, in bytes of text, that surely fits the context of its models.
  std::uint64_t most_bytes = 0;
  // invalid_input if nothing of the conversation can be sent; not_found if the environment does not
  // say where the tool keeps its files.
  Result<NativeSession> (*write)(const transcript::Conversation& conversation,
                                 const NewSession& session) = nullptr;
};

// Every agent of the build, by name.
std::span<const Agent* const> all_agents();

}  // namespace weft::formats
