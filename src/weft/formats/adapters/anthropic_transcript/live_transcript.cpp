#include "weft/formats/adapters/anthropic_transcript/live_transcript.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/try.hpp"

namespace weft::formats {
namespace {

using transcript::Role;

// The member that a block of this type requires. A block of a file is kept without it; the caller
// of a live one gets an error.
struct Need {
  std::string_view type, member;
};
constexpr std::array<Need, 6> kNeeds = {{{"text", "text"},
                                         {"thinking", "thinking"},
                                         {"redacted_thinking", "data"},
                                         {"tool_use", "name"},
                                         {"server_tool_use", "name"},
                                         {"mcp_tool_use", "name"}}};

Status check(const json::object& block) {
  const std::string type(find_string(block, "type").value_or(""));
  if (type.empty()) {
    return fail(ErrorCode::invalid_input, "the block has no \"type\", such as text or tool_use");
  }
  const auto need = std::ranges::find(kNeeds, type, &Need::type);
  if (need != kNeeds.end() && !find_string(block, need->member)) {
    return fail(ErrorCode::invalid_input, "a block of type " + type + " needs a string \"" +
                                              std::string(need->member) + "\"");
  }
  return {};
}

bool is_result(const transcript::Body& body) {
  return std::holds_alternative<transcript::ToolResult>(body);
}

}  // namespace

LiveTranscript::LiveTranscript(const std::string& session_id, std::optional<std::string> model)
    : builder_(std::move(model)) {
  builder_.name_session(session_id);
}

transcript::Heading LiveTranscript::heading(const std::string& session_id) {
  return anthropic::transcript_heading(session_id);
}

Status LiveTranscript::emit(const json::object& block, std::optional<Role> role, Millis now,
                            transcript::Sink& sink) {
  WEFT_TRY(check(block));
  anthropic::ParsedBlock parsed = anthropic::parse_block(block);
  if (!role && std::holds_alternative<transcript::Attachment>(parsed.body)) {
    return fail(ErrorCode::invalid_input, "an attachment needs a role: human, assistant or system");
  }
  if (!role && is_result(parsed.body)) role = builder_.live_role();
  if (!parsed.start && !parsed.stop) {
    // As a member of it, so that a block that is kept as it is keeps its stamp, too.
    json::object stamped = block;
    stamped["start_timestamp"] = to_iso8601(now);
    parsed = anthropic::parse_block(stamped);
  }
  builder_.emit_live(role.value_or(Role::assistant), std::move(parsed), sink);
  return {};
}

}  // namespace weft::formats
