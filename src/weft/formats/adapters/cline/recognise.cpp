// Is this Cline's? A task's messages are a list of Anthropic's messages, which anyone may keep:
// it is Cline's where it says so, by what it adds to a message or by the tags that it wraps
// a person's words in.
#include <algorithm>
#include <array>

#include "weft/formats/adapters/cline/reader.hpp"
#include "weft/formats/apis/anthropic/agent_marks.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/partial_object.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::cline {
namespace {

constexpr std::size_t kMessagesToLookAt = 50;

enum class BodyLook { foreign, nothing, weak, own };

// A whole number of milliseconds since 1970, of this century.
bool has_time(const PartialObject& message) {
  const std::string_view text = message.get("ts");
  return text.size() == 13 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

BodyLook look_at(const PartialObject& message) {
  const std::string type = message.string("type").value_or("");
  if (type == "say" || type == "ask") {
    return message.has("ts") && message.string(type) ? BodyLook::own : BodyLook::foreign;
  }
  if (type == "reasoning") return BodyLook::nothing;
  const std::string role = message.string("role").value_or("");
  if (role.empty()) return BodyLook::nothing;
  if (role != "user" && role != "assistant") return BodyLook::foreign;
  for (const char* key : {"message", "parts", "timestamp", "sessionId", "session_id", "info"}) {
    if (message.has(key)) return BodyLook::foreign;
  }
  constexpr std::array<std::string_view, 6> kOwn = {"condenseId",   "condenseParent",
                                                    "truncationId", "truncationParent",
                                                    "isSummary",    "isTruncationMarker"};
  for (const std::string_view key : kOwn) {
    if (message.has(key)) return BodyLook::own;
  }
  if (anthropic::has_agent_mark(message)) return BodyLook::own;
  if (!has_time(message)) return BodyLook::nothing;
  return message.inner("modelInfo").has("providerId") ? BodyLook::own : BodyLook::weak;
}

Confidence recognise_task(std::string_view head) {
  BodyLook best = BodyLook::nothing;
  std::size_t looked_at = 0;
  for (const PartialObject& message : PartialObject::elements_of(head, 1)) {
    if (message.members().empty() || looked_at++ == kMessagesToLookAt) break;
    const BodyLook look = look_at(message);
    if (look == BodyLook::foreign) return Confidence::no;
    best = std::max(best, look);
  }
  if (best == BodyLook::own) return Confidence::yes;
  return best == BodyLook::weak ? Confidence::maybe : Confidence::no;
}

// {version, updated_at, agent, sessionId, system_prompt?, messages[{id, role, content, ts}]}
Confidence recognise_session(std::string_view head) {
  const PartialObject document(head, 1);
  for (const char* key : {"session_id", "projectHash", "requests", "mapping", "model"}) {
    if (document.has(key)) return Confidence::no;
  }
  const bool is_one = document.string("sessionId") && document.string("updated_at") &&
                      document.string("agent") && document.has("version");
  if (!is_one) return Confidence::no;
  const auto messages = document.elements("messages");
  const bool is_foreign = std::ranges::any_of(messages, [](const PartialObject& message) {
    return message.has("role") && look_at(message) == BodyLook::foreign;
  });
  return is_foreign ? Confidence::no : Confidence::yes;
}

}  // namespace

Confidence recognise_conversation(std::string_view head) {
  head = trim(head);
  if (head.starts_with('[')) return recognise_task(head);
  if (!head.starts_with('{') || !is_over_lines(head)) {
    // A session written on one line is one all the same.
    const std::size_t end = head.find('\n');
    if (!head.starts_with('{') || end != std::string_view::npos) return Confidence::no;
  }
  return recognise_session(head);
}

}  // namespace weft::formats::cline
