#include "weft/formats/adapters/codex_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "weft/crypto/blake3.hpp"

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

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

Shape bare_shape(const json::object& object, std::string_view type) {
  if (contains(kExecTypes, type)) return Shape::exec;
  // pi's entries have their words in a `message`, others theirs in `data` or `parts`.
  if (contains(kBareItems, type)) return object.contains("message") ? Shape::none : Shape::item;
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

std::optional<std::string_view> find_name(const json::object& object, std::string_view key) {
  const auto name = find_string(object, key);
  if (!name || name->empty() || name->size() > kMaxNameBytes) return std::nullopt;
  return name;
}

std::int64_t hash_of(std::string_view text) {
  const Digest digest = crypto::blake3(text);
  std::int64_t hash = 0;
  std::memcpy(&hash, digest.data(), sizeof hash);
  return hash;
}

std::string_view last_component(std::string_view path) {
  constexpr std::string_view kSlashes = "/\\";
  const std::size_t last = path.find_last_not_of(kSlashes);
  if (last == std::string_view::npos) return {};
  path = path.substr(0, last + 1);
  const std::size_t slash = path.find_last_of(kSlashes);
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_uuid(std::string_view text) {
  constexpr std::size_t kLength = 36;
  if (text.size() != kLength) return false;
  for (std::size_t i = 0; i < kLength; ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (is_dash ? c != '-' : !is_hex) return false;
  }
  return true;
}

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
  for (const std::string_view opening : kOpenings) {
    std::size_t at = text.find(opening, 1);
    for (int i = 0; i < kPlacesToTry && at != std::string_view::npos; ++i) {
      const Result<ParsedJson> parsed = parse_json(text.substr(at));
      const json::object* object = parsed ? parsed->value.if_object() : nullptr;
      if (object != nullptr && is_whole_line(*object)) return text.substr(at);
      at = text.find(opening, at + 1);
    }
  }
  return std::nullopt;
}

}  // namespace weft::formats::codex
