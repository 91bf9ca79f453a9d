// wot_capture_stop: stops recording a session.
#include <fmt/format.h>

#include "weft/mcp/answers/capture_results.hpp"

namespace weft::mcp {
namespace {

Served<> stop(Call& call) {
  const auto recorder = recorder_of(call);
  if (!recorder) return recorder.error();
  const std::string session = text_in(call.arguments(), "session_id");
  const Result<Cid> conversation = (*recorder)->stop(session);
  if (!conversation) return not_recorded(conversation.error(), session);
  return tool_result(call, {{"conversation_cid", conversation->str()}}, [&](const json::object&) {
    return fmt::format(
        "Session {} is recorded: {}\nRead it: wot_walk_sequence {{\"conversation_cid\": \"{}\"}}",
        canonical_json(json::value(session)), conversation->str(), conversation->brief());
  });
}

}  // namespace

const Tool& wot_capture_stop_tool() {
  static const Tool tool = {
      .name = "wot_capture_stop",
      .title = "Stop recording",
      .description =
          R"(Stops recording a session and returns its conversation. wot_capture_start with the same id resumes it.)",
      .parameters = {session_parameter({}, true)},
      .example = R"({"session_id": "7f9c2b1e-garden-plan"})",
      .output_schema = R"({"type": "object", "properties": {
  "conversation_cid": {"type": "string", "description": "the conversation that was recorded"}},
  "required": ["conversation_cid"]})",
      .hints = {.is_read_only = false},
      .call = stop,
  };
  return tool;
}

}  // namespace weft::mcp
