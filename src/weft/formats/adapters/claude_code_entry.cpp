#include "weft/formats/adapters/claude_code_entry.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "weft/crypto/blake3.hpp"

namespace weft::formats::claude_code {
namespace {

std::string type_of(const json::object& record) {
  if (const auto type = find_string(record, "type")) return std::string(*type);
  // The usage lines of the oldest versions have no type.
  const json::object* message = find_object(record, "message");
  const auto role = message == nullptr ? std::nullopt : find_string(*message, "role");
  return std::string(role.value_or(""));
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

std::optional<std::string> find_id(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  if (!text || text->empty() || text->size() > kMaxIdBytes) return std::nullopt;
  const bool is_plain = std::ranges::all_of(*text, [](char c) { return c > ' ' && c < '\x7f'; });
  if (!is_plain) return std::nullopt;
  return std::string(*text);
}

std::uint64_t hash_of(std::string_view text) {
  const Digest digest = crypto::blake3(text);
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < sizeof(hash); ++i) hash = hash << 8 | digest[i];
  return hash;
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

std::string_view stem_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

std::optional<Entry> entry_of(ParsedJson parsed, std::string_view text, std::uint64_t line,
                              std::uint64_t number) {
  if (!parsed.value.is_object()) return std::nullopt;
  Entry entry{.value = std::move(parsed.value),
              .inexact = parsed.inexact,
              .line = line,
              .fingerprint = hash_of(text)};
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
