// Is this a session of Claude Code? Its imitators look much alike: Qwen Code has "parts" in
// its messages, iFlow writes "session-…" ids, and the Agent SDK's stream has "session_id".
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>

#include "weft/formats/adapters/claude_code/places.hpp"
#include "weft/formats/apis/claude_code/entry.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

constexpr std::size_t kRecordsToLookAt = 50;
// An imitator gives itself away in its first messages.
constexpr std::size_t kMessagesThatSettleIt = 4;

bool has(const json::object& record, std::string_view key) {
  return find_member(record, key) != nullptr;
}

// Records that no other tool writes.
bool is_own_record(const json::object& record, std::string_view type) {
  return (type == "summary" && has(record, "summary") && has(record, "leafUuid")) ||
         (type == "file-history-snapshot" && has(record, "snapshot")) ||
         (type == "queue-operation" && has(record, "operation") && has(record, "sessionId")) ||
         (type == "custom-title" && has(record, "customTitle")) ||
         (type == "ai-title" && has(record, "aiTitle")) ||
         (type == "last-prompt" && has(record, "lastPrompt") && has(record, "sessionId"));
}

bool is_foreign(const json::object& record) {
  const json::object* message = find_object(record, "message");
  if (message != nullptr && has(*message, "parts")) return true;
  if (has(record, "systemPayload")) return true;
  if (has(record, "session_id") && !has(record, "sessionId")) return true;
  const std::string_view session = find_string(record, "sessionId").value_or("");
  constexpr std::string_view kOfIflow = "session-";
  return session.starts_with(kOfIflow) && is_uuid(session.substr(kOfIflow.size()));
}

// A message with content, and nothing around it that would say more.
bool is_bare_message(const json::object& record, std::string_view type) {
  const json::object* message = find_object(record, "message");
  if (message == nullptr) return false;
  if (type == "user" || type == "assistant") return has(*message, "content");
  // Usage lines of the oldest versions.
  return type.empty() && has(record, "sessionId") && has(record, "requestId") &&
         has(*message, "role") && has(*message, "usage");
}

Confidence confidence_in(const json::object& record) {
  const std::string_view type = find_string(record, "type").value_or("");
  if (is_own_record(record, type)) return Confidence::yes;
  constexpr std::array<std::string_view, 5> kTypes = {"user", "assistant", "system", "attachment",
                                                      "progress"};
  const bool is_message = std::ranges::find(kTypes, type) != kTypes.end();
  const bool is_threaded = has(record, "uuid") || has(record, "parentUuid");
  if (is_message && is_threaded && has(record, "sessionId")) return Confidence::yes;
  // A line of megabytes, of which only the beginning is known.
  if (type.empty() && has(record, "parentUuid") && has(record, "isSidechain")) {
    return Confidence::yes;
  }
  const bool is_setting = (type == "mode" || type == "permission-mode" || type == "atis-latch") &&
                          has(record, "sessionId");
  return is_setting || is_bare_message(record, type) ? Confidence::maybe : Confidence::no;
}

// The members of a cut object that are whole.
json::object whole_members(std::string_view text) {
  json::object record;
  for (const JsonPiece& piece : cut_json(text, {})) {
    if (piece.cut || piece.member.empty()) continue;
    if (const Result<ParsedJson> parsed = parse_json(piece.text)) {
      record[piece.member] = parsed->value;
    }
  }
  return record;
}

bool look_at(std::string_view text, bool is_cut,
             const std::function<bool(const json::object&)>& each) {
  const Result<ParsedJson> parsed = parse_json(text);
  if (parsed && parsed->value.is_object()) return each(parsed->value.get_object());
  if (!parsed && is_cut && text.starts_with('{')) return each(whole_members(text));
  return true;
}

}  // namespace

bool is_document(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '{') return false;
  // Cheap before thorough: the key is nowhere in a session's lines, as a rule.
  const std::string key = "\"" + std::string(kLogLines) + "\"";
  if (::memmem(head.data(), head.size(), key.data(), key.size()) == nullptr) return false;
  const auto pieces = cut_json(head, {std::string(kLogLines)});
  return std::ranges::any_of(
      pieces, [](const JsonPiece& piece) { return piece.member.empty() && !piece.stray; });
}

void each_in_head(std::string_view head, std::size_t most,
                  const std::function<bool(const json::object&)>& each) {
  if (is_document(head)) {
    for (const JsonPiece& piece : cut_json(head, {std::string(kLogLines)})) {
      if (!piece.member.empty() || piece.stray || most == 0) continue;
      --most;
      if (!look_at(piece.text, piece.cut, each)) return;
    }
    return;
  }
  while (!head.empty() && most > 0) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    if (end > 0) {
      --most;
      if (!look_at(head.substr(0, end), end == head.size(), each)) return;
    }
    head.remove_prefix(std::min(end + 1, head.size()));
  }
}

Confidence recognises(std::string_view head) {
  Confidence best = Confidence::no;
  bool is_of_another = false;
  std::size_t own = 0;
  each_in_head(head, kRecordsToLookAt, [&](const json::object& record) {
    is_of_another = is_foreign(record);
    const Confidence confidence = confidence_in(record);
    best = std::max(best, confidence);
    if (confidence == Confidence::yes && find_object(record, "message") != nullptr) ++own;
    return !is_of_another && own < kMessagesThatSettleIt;
  });
  if (is_of_another) return Confidence::no;
  return best == Confidence::maybe && is_document(head) ? Confidence::yes : best;
}

std::unique_ptr<Framer> frame(std::string_view head) {
  return is_document(head) ? json_framer({std::string(kLogLines)}) : line_framer();
}

}  // namespace weft::formats::claude_code
