// Is this of an export of ChatGPT's? Its conversations have nodes under "mapping", each with
// its parent or its message; where the first one's are not in sight yet, it is at least likely.
#include <algorithm>
#include <array>

#include "weft/formats/adapters/chatgpt_export/chatgpt_export.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::chatgpt_export {
namespace {

bool has(const std::vector<JsonPiece>& members, std::string_view name) {
  return std::ranges::find(members, name, &JsonPiece::member) != members.end();
}

// Names that a conversation has, and hardly anything else.
bool begins_like_ours(const std::vector<JsonPiece>& members) {
  constexpr std::array<std::string_view, 7> kOwn = {
      "conversation_template_id", "default_model_slug", "gizmo_id", "plugin_ids",
      "moderation_results",       "current_node",       "safe_urls"};
  const auto own =
      std::ranges::count_if(kOwn, [&](std::string_view name) { return has(members, name); });
  return own >= 2 && has(members, "create_time");
}

Confidence look_at(std::string_view item) {
  if (!item.starts_with('{')) return Confidence::no;
  const std::vector<JsonPiece> members = cut_json(item, {});
  if (has(members, "chat_messages") || has(members, "polylogue_capture_kind"))
    return Confidence::no;
  const auto mapping = std::ranges::find(members, "mapping", &JsonPiece::member);
  if (mapping == members.end()) {
    return begins_like_ours(members) ? Confidence::maybe : Confidence::no;
  }
  if (!mapping->text.starts_with('{')) return Confidence::no;
  for (const JsonPiece& node : cut_json(mapping->text, {})) {
    const std::vector<JsonPiece> parts = cut_json(node.text, {});
    const bool is_node = has(parts, "parent") || has(parts, "message") || has(parts, "children");
    return is_node ? Confidence::yes : Confidence::maybe;
  }
  return Confidence::maybe;
}

// The first element that says something.
Confidence look_at_list(std::string_view list) {
  for (const JsonPiece& piece : cut_json(list, {})) {
    const Confidence confidence = look_at(piece.text);
    if (confidence != Confidence::no) return confidence;
  }
  return Confidence::no;
}

}  // namespace

Confidence recognises(std::string_view head) {
  head = trim(head);
  if (head.starts_with('[')) return look_at_list(head);
  if (!head.starts_with('{')) return Confidence::no;
  for (const JsonPiece& piece : cut_json(head, {})) {
    if (piece.member == "conversations") return look_at_list(piece.text);
  }
  return look_at(head);
}

}  // namespace weft::formats::chatgpt_export
