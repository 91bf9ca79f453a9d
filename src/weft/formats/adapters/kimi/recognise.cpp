#include <algorithm>
#include <array>

#include "weft/formats/adapters/kimi/kimi.hpp"
#include "weft/formats/framing/head_lines.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::kimi {
namespace {

constexpr std::array<std::string_view, 20> kEvents = {
    "TurnBegin",        "SteerInput",      "TurnEnd",       "StepBegin",     "StepInterrupted",
    "StepRetry",        "ContentPart",     "ToolCall",      "ToolCallPart",  "ToolResult",
    "StatusUpdate",     "CompactionBegin", "CompactionEnd", "SubagentEvent", "ApprovalRequest",
    "ApprovalResponse", "HookTriggered",   "HookResolved",  "Notification",  "MCPLoadingBegin"};

constexpr std::array<std::string_view, 8> kLines = {"context.append_message",
                                                    "context.append_loop_event",
                                                    "context.apply_compaction",
                                                    "turn.prompt",
                                                    "turn.steer",
                                                    "llm.tools_snapshot",
                                                    "tools.set_active_tools",
                                                    "permission.record_approval_result"};

// What a line has that nobody else's lines have.
bool is_ours(const json::object& line) {
  const auto role = find_string(line, "role");
  if (role) {
    return (*role == "_system_prompt" && line.contains("content")) ||
           (*role == "_checkpoint" && line.contains("id")) ||
           (*role == "_usage" && line.contains("token_count"));
  }
  const auto type = find_string(line, "type");
  if (type) {
    if (*type == "metadata") return find_string(line, "protocol_version").has_value();
    return is_one_of(*type, kLines);
  }
  const json::object* message = find_object(line, "message");
  const auto event = message == nullptr ? std::nullopt : find_string(*message, "type");
  return event && is_one_of(*event, kEvents) && !line.contains("uuid") &&
         !line.contains("sessionId") && line.contains("timestamp");
}

// A system prompt may be longer than the head.
bool begins_with_prompt(std::string_view head) {
  std::string near;
  for (const char c : head.substr(0, 64)) {
    if (c != ' ') near += c;
  }
  return near.starts_with(R"({"role":"_system_prompt","content":)");
}

}  // namespace

namespace {

constexpr std::array<std::string_view, 4> kKindNames = {"none", "wire", "context", "code"};

}  // namespace

json::value write_value(Kind kind) {
  return json::value(kKindNames[static_cast<std::size_t>(kind)]);
}

StateFit read_value(const json::value& from, Kind& kind) {
  if (!from.is_string()) return StateFit::other_kind;
  const auto found = std::ranges::find(kKindNames, view(from.get_string()));
  if (found == kKindNames.end()) return StateFit::refused;
  kind = static_cast<Kind>(found - kKindNames.begin());
  return StateFit::fits;
}

Kind kind_of(const json::object& line) {
  if (find_string(line, "role")) return Kind::context;
  const auto type = find_string(line, "type");
  if (type == "metadata") return find_int(line, "created_at") ? Kind::code : Kind::none;
  if (type && type->find('.') != std::string_view::npos) return Kind::code;
  const json::object* message = find_object(line, "message");
  return message != nullptr && find_string(*message, "type") ? Kind::wire : Kind::none;
}

Confidence recognises(std::string_view head) {
  if (begins_with_prompt(head)) return Confidence::yes;
  Confidence confidence = Confidence::no;
  each_head_line(head, [&](const json::object& line) {
    if (is_ours(line)) confidence = Confidence::yes;
    // Plain messages may come before what is kimi-cli's own; nothing else does.
    const bool is_message = find_string(line, "role") && line.contains("content");
    return confidence == Confidence::no && (is_message || kind_of(line) != Kind::none);
  });
  return confidence;
}

}  // namespace weft::formats::kimi
