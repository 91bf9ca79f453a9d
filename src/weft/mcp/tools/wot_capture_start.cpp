// wot_capture_start: starts recording a session.
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
        "Recording session {0}.\n"
        "Push each block as it is produced, in order: wot_capture_block {{\"session_id\": {0}, "
        "\"role\": \"human\", \"block\": {{\"type\": \"text\", \"text\": \"…\"}}}}\n"
        "At the end: wot_capture_stop {{\"session_id\": {0}}}",
        name);
  });
}

}  // namespace

const Tool& wot_capture_start_tool() {
  static const Tool tool = {
      .name = "wot_capture_start",
      .title = "Start recording",
      .description =
          R"(Starts or resumes recording a conversation while it happens, if no transcript file is written (else wot_conversation_ingest). Push each block with wot_capture_block, end with wot_capture_stop. A session records until it is stopped, also over restarts.)",
      .parameters = {session_parameter("One for each conversation, such as a UUID.", true)},
      .example = R"({"session_id": "7f9c2b1e-garden-plan"})",
      .output_schema = R"({"type": "object", "properties": {
  "status": {"type": "string", "enum": ["recording"]}}, "required": ["status"]})",
      .hints = {.is_read_only = false},
      .call = start,
  };
  return tool;
}

}  // namespace weft::mcp
