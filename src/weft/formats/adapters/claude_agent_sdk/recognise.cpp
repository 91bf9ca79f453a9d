// Is this what the Agent SDK, or `claude -p --output-format stream-json`, printed? Droid's
// stream begins alike, with a "system" record and a "session_id".
#include <algorithm>
#include <array>

#include "weft/formats/adapters/claude_agent_sdk/claude_agent_sdk.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/partial_object.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_agent_sdk {
namespace {

constexpr std::size_t kRecordsToLookAt = 50;

enum class BodyLook { foreign, nothing, weak, own };

BodyLook look_at(const PartialObject& record) {
  for (const char* key : {"parentUuid", "sessionId", "hook_event_name", "payload"}) {
    if (record.has(key)) return BodyLook::foreign;
  }
  const std::string type = record.string("type").value_or("");
  constexpr std::array<std::string_view, 6> kForeign = {"message",    "tool_call", "tool_result",
                                                        "completion", "session",   "session_meta"};
  if (std::ranges::find(kForeign, type) != kForeign.end()) return BodyLook::foreign;
  if (!record.has("session_id")) return BodyLook::nothing;
  const std::string subtype = record.string("subtype").value_or("");
  if (type == "system") {
    const bool is_own = !subtype.empty() && (subtype != "init" || record.has_array("tools") ||
                                             record.has("permissionMode"));
    return is_own ? BodyLook::own : BodyLook::weak;
  }
  if (type == "assistant" || type == "user") {
    const PartialObject message = record.inner("message");
    if (message.has("parts")) return BodyLook::foreign;
    return message.has("content") ? BodyLook::own : BodyLook::nothing;
  }
  if (type == "result") {
    const bool is_own = !subtype.empty() && (record.has("is_error") || record.has("duration_ms"));
    return is_own ? BodyLook::own : BodyLook::nothing;
  }
  if (type == "stream_event") return record.has_object("event") ? BodyLook::own : BodyLook::nothing;
  // A line of which only the beginning is known.
  return type.empty() && record.has_object("message") ? BodyLook::weak : BodyLook::nothing;
}

}  // namespace

Confidence recognises(std::string_view head) {
  head = trim(head);
  BodyLook best = BodyLook::nothing;
  bool is_foreign = false;
  std::size_t looked_at = 0;
  const auto look = [&](const PartialObject& record) {
    if (record.members().empty() || looked_at == kRecordsToLookAt) return;
    ++looked_at;
    const BodyLook one = look_at(record);
    is_foreign = is_foreign || one == BodyLook::foreign;
    best = std::max(best, one);
  };
  if (head.starts_with('[')) {
    for (const PartialObject& record : PartialObject::elements_of(head, 1)) look(record);
  } else if (is_over_lines(head)) {
    look(PartialObject(head, 1));
  } else {
    Lines lines(head, 1);
    while (looked_at < kRecordsToLookAt && !is_foreign) {
      const auto line = lines.next();
      if (!line) break;
      look(PartialObject(line->text, line->number));
    }
  }
  if (is_foreign) return Confidence::no;
  return best == BodyLook::own    ? Confidence::yes
         : best == BodyLook::weak ? Confidence::maybe
                                  : Confidence::no;
}

std::unique_ptr<Framer> frame(std::string_view head) {
  const std::size_t first = head.find_first_not_of(kBlanks);
  const std::string_view text = first == std::string_view::npos ? "" : head.substr(first);
  if (text.starts_with('[')) return json_framer({});
  return is_over_lines(text) ? values_framer() : line_framer();
}

}  // namespace weft::formats::claude_agent_sdk
