// Is this a chat of Gemini CLI? It has the hash of its project in its head, or the commands of
// its log, or messages of a type that no other tool has.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "weft/formats/adapters/gemini/places.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/partial_object.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::gemini {
namespace {

constexpr std::size_t kRecordsToLookAt = 50;
// What a document has its messages under: the second in older versions.
constexpr std::array<std::string_view, 2> kLists = {"messages", "history"};

bool is_gemini_message(const PartialObject& record) {
  return record.string("type") == "gemini" && record.has("id") && record.has("timestamp") &&
         (record.has("content") || record.has("toolCalls") || record.has("thoughts"));
}

// {"role":"gemini","parts":[…]}: what only looks like the API's own.
bool is_old_message(const PartialObject& record) {
  const std::string role = record.string("role").value_or("");
  return record.has_array("parts") && (role == "user" || role == "gemini" || role == "model");
}

Confidence confidence_in(const PartialObject& record) {
  if (record.has("uuid") || record.has("parentUuid")) return Confidence::no;
  if (record.has("sessionId") && record.has("projectHash")) return Confidence::yes;
  if (record.has_object("$set") || record.string("$rewindTo")) return Confidence::yes;
  return is_gemini_message(record) ? Confidence::yes : Confidence::no;
}

Confidence confidence_in_document(const PartialObject& document) {
  Confidence best = confidence_in(document);
  if (best == Confidence::yes) return best;
  std::size_t looked_at = 0;
  for (const PartialObject& message : document.elements("messages")) {
    if (looked_at++ == kRecordsToLookAt) break;
    if (is_gemini_message(message)) best = Confidence::yes;
  }
  const bool is_dated = document.has("lastUpdated") && document.has_array("history");
  if (best == Confidence::yes || !is_dated) return best;
  const std::vector<PartialObject> history = document.elements("history");
  const bool is_old = !history.empty() && std::ranges::all_of(history, is_old_message);
  return is_old ? Confidence::maybe : best;
}

// Cheap before thorough: what confidence_in() and confidence_in_document() look for is nowhere in
// the lines of other tools, as a rule.
bool has_a_mark(std::string_view head) {
  constexpr std::array<std::string_view, 5> kMarks = {"projectHash", "$set", "$rewindTo", "gemini",
                                                      "lastUpdated"};
  return std::ranges::any_of(kMarks, [&](std::string_view mark) {
    return ::memmem(head.data(), head.size(), mark.data(), mark.size()) != nullptr;
  });
}

}  // namespace

Confidence recognises(std::string_view head) {
  head = trim(head);
  if (!head.starts_with('{')) return Confidence::no;
  if (is_over_lines(head)) return confidence_in_document(PartialObject(head, 1));
  if (!has_a_mark(head)) return Confidence::no;
  Confidence best = Confidence::no;
  Lines lines(head, 1);
  for (std::size_t i = 0; i < kRecordsToLookAt && best != Confidence::yes; ++i) {
    const auto line = lines.next();
    if (!line) break;
    const PartialObject record(line->text, line->number);
    best = std::max(best, i == 0 ? confidence_in_document(record) : confidence_in(record));
  }
  return best;
}

std::unique_ptr<Framer> frame(std::string_view head) {
  const std::string_view text = trim(head);
  if (!is_over_lines(text)) return line_framer();
  const PartialObject document(text, 1);
  if (document.has("type")) return values_framer();  // a message by itself
  return json_framer({kLists.begin(), kLists.end()});
}

}  // namespace weft::formats::gemini
