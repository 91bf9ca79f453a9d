// Recognises conversations of Cursor. Its lines are known by what they lack: others that have a
// message in a record give the record a type, an id or a session.
#include <algorithm>

#include "weft/base/json.hpp"
#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/cursor/reader.hpp"
#include "weft/formats/adapters/cursor/transcript.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::cursor {
namespace {

constexpr int kLinesToLookAt = 50;
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_foreign(const json::object& object) {
  for (const std::string_view key :
       {"uuid", "sessionId", "session_id", "parentUuid", "parentId", "info", "parts", "payload"}) {
    if (object.contains(key)) return true;
  }
  return false;
}

Confidence look_at(const json::object& object) {
  if (is_foreign(object)) return Confidence::no;
  if (const json::object* composer = find_object(object, "composer")) {
    return composer->contains("composerId") ? Confidence::yes : Confidence::no;
  }
  if (is_transcript_line(object)) {
    return object.contains("type") ? Confidence::no : Confidence::yes;
  }
  const auto type = find_string(object, "type");
  const bool is_event = type == "turn_ended" || object.contains("bubble");
  return is_event ? Confidence::maybe : Confidence::no;
}

// A first line may be longer than the head.
bool begins_as_transcript(std::string_view line) {
  return line.starts_with(R"({"role":"user","message":{"content":)") ||
         line.starts_with(R"({"role":"assistant","message":{"content":)");
}

Confidence recognise_lines(std::string_view head) {
  Confidence best = Confidence::no;
  for (int i = 0; i < kLinesToLookAt && !head.empty(); ++i) {
    const std::string_view line = take_line(head);
    const bool is_cut = head.empty();
    std::string storage;
    std::size_t repairs = 0;
    const Result<ParsedJson> parsed = parse_json(repair_json(line, storage, repairs));
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    if (object == nullptr) {
      if (is_cut && begins_as_transcript(line)) best = Confidence::yes;
      continue;
    }
    const Confidence one = look_at(*object);
    if (one == Confidence::no) return Confidence::no;
    best = std::max(best, one);
  }
  return best;
}

// "user:" alone may begin anybody's notes; with marks of Cursor's it does not.
Confidence recognise_text(std::string_view head) {
  if (take_line(head) != "user:") return Confidence::no;
  bool has_answer = false, has_mark = false;
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    has_answer = has_answer || line == "assistant:";
    has_mark = has_mark || line == "<user_query>" || line.starts_with("[Thinking] ") ||
               line.starts_with("[Tool call] ");
  }
  if (has_mark) return Confidence::yes;
  return has_answer ? Confidence::maybe : Confidence::no;
}

}  // namespace

Confidence recognise_conversation(std::string_view head) {
  const std::size_t first = head.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return Confidence::no;
  head.remove_prefix(first);
  return head.starts_with('{') ? recognise_lines(head) : recognise_text(head);
}

}  // namespace weft::formats::cursor
