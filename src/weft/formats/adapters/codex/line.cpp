#include "weft/formats/adapters/codex/line.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::codex {
namespace {

constexpr auto kEnvelopes = std::to_array<std::pair<std::string_view, Shape>>({
    {"session_meta", Shape::meta},
    {"response_item", Shape::item},
    {"event_msg", Shape::event},
    {"turn_context", Shape::context},
    {"compacted", Shape::compacted},
    {"world_state", Shape::internal},
    {"security_risk_score", Shape::internal},
    {"inter_agent_communication_metadata", Shape::internal},
    {"token_usage_record", Shape::mirror},
});

constexpr auto kExecTypes = std::to_array<std::string_view>(
    {"thread.started", "turn.started", "turn.completed", "turn.failed", "item.started",
     "item.updated", "item.completed"});

// Items that stood bare before there were envelopes.
constexpr auto kBareItems = std::to_array<std::string_view>(
    {"message", "reasoning", "function_call", "function_call_output", "local_shell_call",
     "custom_tool_call", "custom_tool_call_output", "web_search_call", "tool_call", "tool_result"});

Shape bare_shape(const json::object& object, std::string_view type) {
  if (is_one_of(type, kExecTypes)) return Shape::exec;
  // pi's entries have their words in a `message`, others theirs in `data` or `parts`.
  if (is_one_of(type, kBareItems)) return object.contains("message") ? Shape::none : Shape::item;
  if (type == "error") {
    return find_string(object, "message") || find_string(object, "text") ? Shape::exec
                                                                         : Shape::none;
  }
  if (!type.empty()) return Shape::none;
  if (find_string(object, "record_type")) return Shape::internal;
  if (find_string(object, "role") && object.contains("content")) return Shape::item;
  const bool is_header = find_string(object, "id") && object.contains("timestamp") &&
                         (object.contains("instructions") || object.contains("git"));
  return is_header && !object.contains("object") ? Shape::meta : Shape::none;
}

// What stands inside a line, a payload or an item, never looks so.
bool is_whole_line(const json::object& object) {
  const Line line = parse_line(object);
  const bool has_envelope = line.payload != &object && line.shape != Shape::unknown;
  return has_envelope || (line.shape == Shape::exec && line.type != "error");
}

}  // namespace

Line parse_line(const json::object& object) {
  Line line{.type = find_string(object, "type").value_or(""), .payload = &object};
  const json::object* payload = find_object(object, "payload");
  if (payload != nullptr && !line.type.empty()) {
    line.payload = payload;
    const auto known =
        std::ranges::find(kEnvelopes, line.type, [](const auto& e) { return e.first; });
    line.shape = known == kEnvelopes.end() ? Shape::unknown : known->second;
  } else {
    line.shape = bare_shape(object, line.type);
  }
  line.ordinal = find_int(object, "ordinal");
  for (const json::object* holder : {&object, line.payload}) {
    if (line.time) break;
    if (const auto text = find_string(*holder, "timestamp")) line.time = parse_iso8601(*text);
  }
  return line;
}

std::string_view type_of(const json::object& payload) {
  if (const auto type = find_string(payload, "type")) return *type;
  return find_string(payload, "role") ? "message" : "";
}

std::optional<std::string_view> find_glued_line(std::string_view text) {
  constexpr auto kOpenings = std::to_array<std::string_view>({"{\"timestamp\":\"", "{\"type\":\""});
  constexpr int kPlacesToTry = 16;
  for (const std::string_view& opening : kOpenings) {
    const auto found = find_glued(text, std::span(&opening, 1), is_whole_line, kPlacesToTry);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace weft::formats::codex
