// A message of the SDK's stream as a record, and those that are noise.
#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/claude_agent_sdk/claude_agent_sdk.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_agent_sdk {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kNames = {{
    {"tool_use_result", "toolUseResult"},
    {"session_id", "sessionId"},
    {"isSynthetic", "isMeta"},
    {"agent_id", "agentId"},
}};

std::string_view own_name(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &decltype(kNames)::value_type::first);
  return found == kNames.end() ? name : found->second;
}

// The same of a text that no value can hold.
std::string renamed(std::string_view text) {
  std::string out;
  for (const JsonPiece& piece : cut_json(text, {})) {
    if (piece.member.empty() || piece.stray) continue;
    out += out.empty() ? "{" : ",";
    // The member's name stands there as it was written.
    out.append("\"").append(own_name(piece.member)).append("\":").append(piece.text);
  }
  return out.empty() ? "{}" : out + "}";
}

}  // namespace

std::optional<claude_code::Entry> entry_of(ParsedJson parsed, std::string_view text,
                                           std::uint64_t line, std::uint64_t number) {
  json::object* object = parsed.value.if_object();
  if (object == nullptr) return std::nullopt;
  for (const auto& [from, to] : kNames) {
    if (json::value* value = object->if_contains(from)) {
      json::value moved = std::move(*value);
      object->erase(from);
      (*object)[to] = std::move(moved);
    }
  }
  const std::uint64_t fingerprint = hash_of(text);
  const std::string own = parsed.inexact ? renamed(text) : std::string();
  auto entry = claude_code::entry_of(std::move(parsed), own, line, number);
  if (entry) entry->fingerprint = fingerprint;
  return entry;
}

std::string_view noise(std::string_view type, std::string_view subtype) {
  struct Noise {
    std::string_view type, subtype, reason;
  };
  constexpr std::array<Noise, 21> kNoise = {{
      {"stream_event", "", "mirror"},
      {"rate_limit_event", "", "progress"},
      {"tool_progress", "", "progress"},
      {"auth_status", "", "progress"},
      {"keep_alive", "", "internal"},
      {"control_request", "", "internal"},
      {"control_response", "", "internal"},
      {"control_cancel_request", "", "internal"},
      {"system", "thinking_tokens", "progress"},
      {"system", "status", "progress"},
      {"system", "session_state_changed", "progress"},
      {"system", "task_progress", "progress"},
      {"system", "task_updated", "progress"},
      {"system", "task_notification", "notification"},
      {"system", "background_tasks_changed", "progress"},
      {"system", "hook_started", "progress"},
      {"system", "hook_progress", "progress"},
      {"system", "hook_response", "progress"},
      {"system", "files_persisted", "internal"},
      {"system", "mirror_error", "internal"},
      {"system", "compact_boundary", "compact-boundary"},
  }};
  const auto found = std::ranges::find_if(kNoise, [&](const Noise& one) {
    return one.type == type && (one.subtype.empty() || one.subtype == subtype);
  });
  return found == kNoise.end() ? "" : found->reason;
}

}  // namespace weft::formats::claude_agent_sdk
