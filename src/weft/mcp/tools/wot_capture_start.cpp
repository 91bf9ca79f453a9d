// wot_capture_start: a conversation begins to be recorded.
#include <fmt/format.h>

#include "weft/mcp/answers/capture_results.hpp"

namespace weft::mcp {
namespace {

Served<> start(Call& call) {
  const auto recorder = recorder_of(call);
  if (!recorder) return recorder.error();
  const std::string session = text_in(call.arguments(), "session_id");
  if (const Status started = (*recorder)->start(session); !started) {
    return refused(started.error());
  }
  return tool_result(call, {{"status", "recording"}}, [&](const json::object&) {
    const std::string name = canonical_json(json::value(session));
    return fmt::format(
        "Recording session {0}.\nPush each block as it is said, in order: wot_capture_block "
        "{{\"session_id\": {0}, \"role\": \"human\", \"block\": {{\"type\": \"text\", \"text\": "
        "\"…\"}}}}\nAt the end: wot_capture_stop {{\"session_id\": {0}}}",
        name);
  });
}

}  // namespace

const Tool& wot_capture_start_tool() {
  static const Tool tool = {
      .name = "wot_capture_start",
      .title = "Start recording a conversation",
      .description =
          R"(Begins to record a conversation while it happens, or goes on with one that was recorded before. Then push every block with wot_capture_block, in the order said, and end with wot_capture_stop.

Use it where no transcript file is written. Where there is one, wot_conversation_ingest takes it in whole; conversations of known tools are taken in by themselves.

Starting a session that is recording already changes nothing. A session stays recording until it is stopped, also when the server is started anew. The id is yours to choose: one for each conversation, such as a UUID. An id is refused if a conversation of that id came from a file or was forgotten.

Example: wot_capture_start {"session_id": "7f9c2b1e-garden-plan"})",
      .parameters = {session_parameter("What the conversation is called: at most 200 bytes, no "
                                       "control characters.",
                                       true)},
      .example = R"({"session_id": "7f9c2b1e-garden-plan"})",
      .output_schema = R"({"type": "object", "properties": {
  "status": {"type": "string", "enum": ["recording"]}}, "required": ["status"]})",
      .hints = {.is_read_only = false},
      .call = start,
  };
  return tool;
}

}  // namespace weft::mcp
