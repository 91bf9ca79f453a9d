#include "weft/formats/adapters/pi/openclaw_spawns.hpp"

#include <optional>
#include <string>
#include <utility>

#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::openclaw {
namespace {

constexpr std::string_view kSpawningTool = "sessions_spawn";

// The key of the session that a sessions_spawn began, from its result.
std::optional<std::string> child_of(const transcript::ToolResult& result) {
  constexpr std::string_view kKey = "childSessionKey";
  const json::object* details = result.details ? result.details->if_object() : nullptr;
  if (details != nullptr) {
    if (const auto key = find_name(*details, kKey)) return std::string(*key);
  }
  const Result<ParsedJson> parsed = parse_json(result.text);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  const auto key = object == nullptr ? std::nullopt : find_name(*object, kKey);
  if (!key) return std::nullopt;
  return std::string(*key);
}

}  // namespace

std::vector<transcript::Spawned> spawned_by(const pi::Message& message) {
  std::vector<transcript::Spawned> spawned;
  for (const AuthoredBlock& block : message.blocks) {
    const auto* call = std::get_if<transcript::ToolCall>(&block.body);
    if (call != nullptr && call->name == kSpawningTool && !call->id.empty()) {
      spawned.push_back({call->id});
    }
    const auto* result = std::get_if<transcript::ToolResult>(&block.body);
    if (result == nullptr || result->name != kSpawningTool || result->call_id.empty()) continue;
    if (auto child = child_of(*result)) spawned.push_back({result->call_id, std::move(child)});
  }
  return spawned;
}

}  // namespace weft::formats::openclaw
