// Is this of an export of claude.ai's? Its items have names that nobody else uses; where the
// first item is longer than the head and they are not in sight yet, it is at least likely.
#include <algorithm>

#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/json_value_scanner.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_export {
namespace {

bool has(const std::vector<JsonPiece>& members, std::string_view name) {
  return std::ranges::find(members, name, &JsonPiece::member) != members.end();
}

// What a chat or a project has before its messages or documents, and nothing else so far.
bool begins_like_ours(const std::vector<JsonPiece>& members) {
  constexpr std::string_view kKnown[] = {
      "uuid",       "name",         "summary",         "description",
      "created_at", "updated_at",   "account",         "creator",
      "settings",   "model",        "is_starred",      "is_temporary",
      "is_private", "project_uuid", "conversation_id", "current_leaf_message_uuid",
      "project",    "platform",     "archived_at",     "is_starter_project"};
  return has(members, "uuid") && has(members, "name") &&
         std::ranges::all_of(members, [&](const JsonPiece& member) {
           const bool is_name_cut = member.cut && member.text.empty();
           return is_name_cut || std::ranges::find(kKnown, member.member) != std::end(kKnown);
         });
}

Confidence look_at_item(std::string_view item, bool cut) {
  if (!item.starts_with('{')) return Confidence::no;
  const std::vector<JsonPiece> members = cut_json(item, {});
  if (has(members, "mapping")) return Confidence::no;
  if (has(members, "chat_messages") || has(members, "conversations_memory") ||
      has(members, "project_memories")) {
    return Confidence::yes;
  }
  if (!has(members, "uuid")) {
    const bool is_memory = has(members, "memory_files") && has(members, "account_uuid");
    return is_memory ? Confidence::yes : Confidence::no;
  }
  const bool is_named = has(members, "name");
  if (is_named && has(members, "prompt_template")) return Confidence::yes;
  if (is_named && has(members, "docs")) return Confidence::maybe;
  if (has(members, "messages") &&
      (item.contains("\"contentBlocks\"") || item.contains("\"authorAccountUuid\""))) {
    return Confidence::yes;
  }
  return cut && begins_like_ours(members) ? Confidence::maybe : Confidence::no;
}

// The first element that says something.
Confidence look_at_list(std::string_view list) {
  for (const JsonPiece& piece : cut_json(list, {})) {
    const Confidence confidence = look_at_item(piece.text, piece.cut);
    if (confidence != Confidence::no) return confidence;
  }
  return Confidence::no;
}

bool is_cut(std::string_view object) {
  JsonValueScanner scanner;
  scanner.start();
  return !scanner.feed(object).done;
}

}  // namespace

Confidence recognises(std::string_view head) {
  head = trim(head);
  if (head.starts_with('[')) return look_at_list(head);
  if (!head.starts_with('{')) return Confidence::no;
  for (const JsonPiece& piece : cut_json(head, {})) {
    if (piece.member == "conversations") return look_at_list(piece.text);
  }
  return look_at_item(head, is_cut(head));
}

}  // namespace weft::formats::claude_export
