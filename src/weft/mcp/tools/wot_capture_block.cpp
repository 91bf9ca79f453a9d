// wot_capture_block: records the next block of a session.
#include <fmt/format.h>

#include "weft/mcp/answers/capture_results.hpp"

namespace weft::mcp {
namespace {

Served<> record(Call& call) {
  const auto recorder = recorder_of(call);
  if (!recorder) return recorder.error();
  const auto session = session_of(call, **recorder);
  if (!session) return session.error();
  std::optional<transcript::Role> role;
  if (const auto named = find_text_in(call.arguments(), "role")) {
    role = transcript::parse_role(*named);
  }
  const Result<Cid> thought =
      (*recorder)->record(*session, call.arguments().at("block").as_object(), role);
  if (!thought) return not_recorded(thought.error(), *session);
  return tool_result(call, {{"thought_cid", thought->str()}}, [&](const json::object&) {
    return fmt::format("Recorded in session {}: {}", canonical_json(json::value(*session)),
                       thought->str());
  });
}

}  // namespace

const Tool& wot_capture_block_tool() {
  static const Tool tool = {
      .name = "wot_capture_block",
      .title = "Record a block",
      .description =
          R"(Records the next block of a session. Push blocks in order, each once, and wait for each answer. They are those of the Messages API: text, thinking (summaries allowed), redacted_thinking, tool_use, tool_result; image and document need a role; any other type is kept as it is. Optional: start_timestamp, stop_timestamp (ISO 8601), model.)",
      .parameters = {{.name = "block", .kind = Parameter::Kind::object, .is_required = true},
                     session_parameter("Not needed if only one is recording.", false),
                     {.name = "role",
                      .description =
                          "human for what a person writes; by default the assistant, or for a "
                          "tool_result the current turn.",
                      .one_of = {"human", "assistant", "system"}}},
      .example =
          R"({"session_id": "7f9c2b1e-garden-plan", "role": "human", "block": {"type": "text", "text": "Where do the beans go?"}})",
      .output_schema = R"({"type": "object", "properties": {
  "thought_cid": {"type": "string", "description": "the thought that the block became"}},
  "required": ["thought_cid"]})",
      .hints = {.is_read_only = false, .is_idempotent = false},
      .call = record,
  };
  return tool;
}

}  // namespace weft::mcp
