// Renders a turn of a session as a text for models.
#include <fmt/format.h>

#include "weft/mcp/answers/rendering.hpp"

namespace weft::mcp {
namespace {

// {"tool": "Bash", "command": "ls"} as "Bash: ls".
std::string tool_line(const json::object& tool) {
  std::string line = text_or(tool, "tool", "?");
  std::string_view between = ": ";
  for (const auto& member : tool) {
    if (member.key() == "tool" || !member.value().is_string()) continue;
    line.append(between).append(query::first_words(view(member.value().get_string())));
    between = ", ";
  }
  return line;
}

void append_side(std::string& out, std::string_view label, const json::object& turn,
                 std::string_view member) {
  const json::value* value = find_member(turn, member);
  if (value != nullptr && value->is_null()) {
    out += fmt::format("{}: (sealed)\n", label);
  } else {
    append_quoted(out, label, find_string(turn, member).value_or(""));
  }
}

}  // namespace

void append_session_turn(std::string& out, const json::object& turn) {
  out += fmt::format("turn {}, {}\n", count_or_zero(turn, "turn_number"),
                     text_or(turn, "timestamp", "at an unknown time"));
  append_side(out, "person", turn, "user_text");
  std::string attached;
  for (const json::value& name : list_in(turn, "attachments")) {
    if (name.is_string()) attached.append(query::first_words(view(name.get_string()))).append("\n");
  }
  append_quoted(out, "attached", attached);
  std::string tools;
  for (const json::value& tool : list_in(turn, "tools_used")) {
    if (const json::object* object = tool.if_object()) tools += tool_line(*object) + "\n";
  }
  append_quoted(out, "tools used", tools);
  append_side(out, "assistant", turn, "assistant_text");
}

std::string sealed_turns_note(const crypto::Keyring* keyring) {
  return keyring == nullptr
             ? "Sealed text cannot be opened: this server has no keyring. The owner's keyring "
               "opens it, or one made by `weft keys export --layer content`.\n"
             : "Sealed text needs the content key, which the keyring of this server does not have. "
               "The owner's keyring opens it, or one made by `weft keys export --layer content`.\n";
}

}  // namespace weft::mcp
