// Is this of an export of claude.ai's? Its items have names that nobody else uses; where the
// first item is longer than the head and they are not in sight yet, it is at least likely.
#include <algorithm>

#include "weft/formats/adapters/anthropic_lines.hpp"
#include "weft/formats/adapters/claude_export.hpp"

namespace weft::formats::claude_export {
namespace {

using anthropic::Piece;

bool has(const std::vector<Piece>& members, std::string_view name) {
  return std::ranges::find(members, name, &Piece::member) != members.end();
}

// What a chat or a project begins with, in this order.
bool begins_like_ours(const std::vector<Piece>& members) {
  constexpr std::string_view kKnown[] = {"uuid",       "name",       "summary",   "description",
                                         "created_at", "updated_at", "account",   "is_private",
                                         "settings",   "model",      "is_starred"};
  return has(members, "uuid") && has(members, "name") &&
         std::ranges::all_of(members, [&](const Piece& member) {
           return std::ranges::find(kKnown, member.member) != std::end(kKnown);
         });
}

Confidence look_at_item(std::string_view item, bool cut) {
  if (!item.starts_with('{')) return Confidence::no;
  const std::vector<Piece> members = anthropic::cut_json(item, {});
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
  for (const Piece& piece : anthropic::cut_json(list, {})) {
    if (!piece.text.starts_with('{')) continue;
    return look_at_item(piece.text, piece.cut);
  }
  return Confidence::no;
}

}  // namespace

Confidence recognises(std::string_view head) {
  const bool is_longer = head.size() >= kHeadBytes;
  head = anthropic::trim(head);
  if (head.starts_with('[')) return look_at_list(head);
  if (!head.starts_with('{')) return Confidence::no;
  for (const Piece& piece : anthropic::cut_json(head, {})) {
    if (piece.member == "conversations") return look_at_list(piece.text);
  }
  return look_at_item(head, is_longer);
}

}  // namespace weft::formats::claude_export
