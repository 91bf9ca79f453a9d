#include "weft/formats/apis/claude_code/entry.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

std::string type_of(const json::object& record) {
  if (const auto type = find_string(record, "type")) return std::string(*type);
  // The usage lines of the oldest versions have no type.
  const json::object* message = find_object(record, "message");
  const auto role = message == nullptr ? std::nullopt : find_string(*message, "role");
  return std::string(role.value_or(""));
}

}  // namespace

std::optional<Entry> entry_of(ParsedJson parsed, std::string_view text, std::uint64_t line,
                              std::uint64_t number) {
  if (!parsed.value.is_object()) return std::nullopt;
  Entry entry{.value = std::move(parsed.value),
              .inexact = parsed.inexact,
              .line = line,
              .fingerprint = quick_hash_of(text)};
  if (entry.inexact) entry.text = text;
  const json::object& record = entry.object();
  entry.type = type_of(record);
  entry.uuid = find_id(record, "uuid");
  entry.id = entry.uuid.value_or("#" + std::to_string(number));
  entry.parent = find_id(record, "parentUuid");
  entry.logical_parent = find_id(record, "logicalParentUuid");
  entry.session = find_id(record, "sessionId");
  entry.agent = find_id(record, "agentId");
  if (const auto time = find_string(record, "timestamp")) entry.time = parse_iso8601(*time);
  entry.is_sidechain = find_bool(record, "isSidechain").value_or(false);
  entry.is_meta = find_bool(record, "isMeta").value_or(false);
  return entry;
}

json::object without_envelope(const json::object& record) {
  constexpr std::array<std::string_view, 24> kEnvelope = {
      "type",      "uuid",      "parentUuid",  "logicalParentUuid", "sessionId",    "session_id",
      "timestamp", "cwd",       "gitBranch",   "version",           "userType",     "entrypoint",
      "slug",      "isMeta",    "agentId",     "isSidechain",       "promptId",     "requestId",
      "teamName",  "agentName", "sessionKind", "forkedFrom",        "turnPosition", "requestRef"};
  json::object rest;
  for (const auto& member : record) {
    const std::string_view key(member.key().data(), member.key().size());
    if (std::ranges::find(kEnvelope, key) == kEnvelope.end()) rest[member.key()] = member.value();
  }
  return rest;
}

}  // namespace weft::formats::claude_code
