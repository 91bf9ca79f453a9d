// The parts of the copilot adapter: parses one event. Internal; the adapter itself is in
// adapter.cpp.
//
// An event is {type, data, id, timestamp, parentId}; parentId only names the event before. The
// events of a subagent are among the session's own, marked with the call that started it
// (data.parentToolCallId) or, since 1.0.9x, with the agent's own id (agentId).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::copilot {

inline constexpr std::string_view kName = "copilot";

// Points into the record that it was made of.
struct Event {
  std::string_view type;
  std::string_view id;  // empty where it has none
  const json::object* data = nullptr;
  std::optional<Millis> time{};
  std::string_view call, agent;  // of the subagent whose it is; empty for the session's own
};
// Empty if that is no event.
std::optional<Event> event_of(const json::object& record);

// Whether events of that type are Copilot's, as far as they were seen.
bool is_known_type(std::string_view type);
// Why events of that type have no content; empty for those that have, and for unknown types.
std::string_view noise(std::string_view type);

// A person's words, the text that the harness puts around them, and the attachments. `from` is the
// author of the words: a subagent's prompt is the program's.
std::vector<AuthoredBlock> prompt_blocks(const json::object& data, transcript::Author from);
// Thinking, text and calls. Without the reasoning if that `is_emitted`, from an event of its own.
std::vector<AuthoredBlock> message_blocks(const json::object& data, bool is_emitted);
// The call of tool.execution_start; one that a message requested is the same call.
AuthoredBlock call_block(const json::object& data);
AuthoredBlock result_block(const json::object& data);
AuthoredBlock failure_block(const json::object& data);

// The readable reasoning of a message or of a reasoning event; empty if there is none.
std::string_view reasoning_of(const json::object& data);
// The usage since the last session.start or session.resume, from session.shutdown.
std::optional<transcript::Usage> segment_usage(const json::object& data);

// The session's name in the text of workspace.yaml; empty if it has none.
std::string name_in(std::string_view yaml);

// The working directory that a file's beginning names; empty if it names none.
std::string cwd_in(std::string_view head);
Confidence recognises(std::string_view head);

}  // namespace weft::formats::copilot
