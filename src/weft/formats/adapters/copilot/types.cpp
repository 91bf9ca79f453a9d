// Which events there are, and is this a file of them? Types are two words with a point between,
// as no other format has them beside `data` and `parentId`.
#include <algorithm>
#include <array>

#include "weft/formats/adapters/copilot/event.hpp"

namespace weft::formats::copilot {
namespace {

constexpr std::array<std::string_view, 17> kTelling = {
    "session.start",           "session.resume",          "session.error",
    "session.context_changed", "session.title_changed",   "session.compaction_complete",
    "session.shutdown",        "session.model_change",    "user.message",
    "assistant.message",       "assistant.reasoning",     "assistant.turn_start",
    "tool.execution_start",    "tool.execution_complete", "system.message",
    "system.notification",     "subagent.started"};

struct Noise {
  std::string_view type, reason;
};
constexpr std::array<Noise, 17> kNoise = {{
    {"assistant.turn_end", "progress"},
    {"assistant.intent", "progress"},
    {"assistant.message_start", "progress"},
    {"assistant.message_delta", "mirror"},
    {"assistant.reasoning_delta", "mirror"},
    {"assistant.streaming_delta", "mirror"},
    {"assistant.usage", "mirror"},
    {"tool.execution_progress", "progress"},
    {"tool.execution_partial_result", "mirror"},
    {"hook.start", "progress"},
    {"hook.end", "progress"},
    {"hook.progress", "progress"},
    {"subagent.completed", "notification"},
    {"subagent.selected", "internal"},
    {"subagent.deselected", "internal"},
    {"session.compaction_start", "progress"},
    {"abort", "interrupted"},
}};
// What the harness and its windows have to say to each other.
constexpr std::array<std::string_view, 12> kInternal = {
    "session.",          "permission.",  "mcp.",      "external_tool.",  "command.",
    "user_input.",       "elicitation.", "sampling.", "exit_plan_mode.", "capabilities.",
    "pending_messages.", "commands."};

// How a line begins of which the end is not there.
bool begins_as_event(std::string_view line) {
  constexpr std::string_view kType = "{\"type\":\"";
  if (!line.starts_with(kType)) return false;
  line.remove_prefix(kType.size());
  const std::size_t end = line.find('"');
  return end != std::string_view::npos && is_known_type(line.substr(0, end)) &&
         line.substr(end).starts_with("\",\"data\":{");
}

constexpr std::size_t kLinesToLookAt = 50;

// Calls `line` for the first lines until it returns false; what is cut is a line too.
template <class OnLine>
void each_line(std::string_view head, const OnLine& line) {
  for (std::size_t i = 0; i < kLinesToLookAt && !head.empty(); ++i) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view text = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (text.find_first_not_of(" \t\r") != std::string_view::npos && !line(text)) return;
  }
}

}  // namespace

bool is_known_type(std::string_view type) {
  return std::ranges::find(kTelling, type) != kTelling.end() || !noise(type).empty() ||
         type == "subagent.failed" || type == "skill.invoked";
}

std::string_view noise(std::string_view type) {
  const auto found = std::ranges::find(kNoise, type, &Noise::type);
  if (found != kNoise.end()) return found->reason;
  if (std::ranges::find(kTelling, type) != kTelling.end() || type == "session.task_complete") {
    return {};
  }
  const bool is_internal =
      std::ranges::any_of(kInternal, [&](std::string_view kind) { return type.starts_with(kind); });
  return is_internal ? "internal" : std::string_view();
}

Confidence recognises(std::string_view head) {
  Confidence sure = Confidence::no;
  each_line(head, [&](std::string_view line) {
    const Result<ParsedJson> parsed = parse_json(line);
    const json::object* record = parsed ? parsed->value.if_object() : nullptr;
    if (record == nullptr) {
      if (begins_as_event(line)) sure = Confidence::yes;
      return sure == Confidence::no;  // a torn line among others
    }
    const auto event = event_of(*record);
    const bool has_chain = find_member(*record, "parentId") != nullptr;
    const bool is_stamped = find_string(*record, "timestamp").has_value();
    if (event && is_known_type(event->type) && is_stamped) {
      sure = has_chain ? Confidence::yes : Confidence::maybe;
    }
    return sure == Confidence::no && event.has_value();
  });
  return sure;
}

std::string cwd_in(std::string_view head) {
  std::string cwd;
  each_line(head, [&](std::string_view line) {
    const Result<ParsedJson> parsed = parse_json(line);
    const json::object* record = parsed ? parsed->value.if_object() : nullptr;
    const auto event = record == nullptr ? std::nullopt : event_of(*record);
    const json::object* context = event ? find_object(*event->data, "context") : nullptr;
    if (context != nullptr) cwd = find_string(*context, "cwd").value_or("");
    return cwd.empty();
  });
  return cwd;
}

}  // namespace weft::formats::copilot
