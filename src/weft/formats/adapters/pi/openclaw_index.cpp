#include "weft/formats/adapters/pi/openclaw_index.hpp"

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::openclaw {

IndexEntry find_in_index(std::string_view index, std::string_view session_id) {
  IndexEntry found;
  std::string storage;
  std::size_t repairs = 0;
  const Result<ParsedJson> parsed = parse_json(repair_json(index, storage, repairs));
  const json::object* sessions = parsed ? parsed->value.if_object() : nullptr;
  if (sessions == nullptr) return found;
  for (const json::key_value_pair& member : *sessions) {
    const json::object* entry = member.value().if_object();
    if (entry == nullptr || find_string(*entry, "sessionId") != session_id) continue;
    for (const std::string_view key : {"label", "displayName", "subject"}) {
      const auto title = find_name(*entry, key);
      if (title && !found.title) found.title = std::string(*title);
    }
    const auto by = find_string(*entry, "spawnedBy");
    const json::object* parent = by ? find_object(*sessions, *by) : nullptr;
    const auto parent_id = parent == nullptr ? std::nullopt : find_name(*parent, "sessionId");
    if (parent_id && *parent_id != session_id) {
      found.origin = {.kind = transcript::Origin::Kind::spawned,
                      .session_id = std::string(*parent_id),
                      .agent = std::string(member.key())};
    }
    break;
  }
  return found;
}

}  // namespace weft::formats::openclaw
