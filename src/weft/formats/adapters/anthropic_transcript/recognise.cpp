// Is this an anthropic-transcript? Its neighbours look alike: message lists of the APIs
// (their person is a "user"), claude.ai exports ("chat_messages"), ChatGPT's ("mapping").
#include <algorithm>

#include "weft/formats/adapters/anthropic_transcript/labels.hpp"
#include "weft/formats/adapters/anthropic_transcript/transcript.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Role;

// Whether "Content:" or an array follows, apart from metadata.
bool is_content_next(Lines lines) {
  while (const auto line = lines.next()) {
    if (line->text.empty()) continue;
    if (line->text.starts_with('[')) return true;
    const auto label = label_of(line->text);
    if (!label) return false;
    if (label->key == "content") return true;
    if (!label->value) return false;
  }
  return false;
}

Confidence recognises_text(std::string_view head) {
  bool is_clean = true;  // nothing but labels so far
  Lines lines(head, 1);
  while (const auto line = lines.next()) {
    if (line->text.empty()) continue;
    if (role_line(*line) && is_content_next(lines)) {
      return is_clean ? Confidence::yes : Confidence::maybe;
    }
    const auto label = label_of(line->text);
    is_clean = is_clean && label && label->value;
  }
  return Confidence::no;
}

struct TurnLook {
  std::string role;  // normal; empty where there is none
  bool has_content = false;
  bool is_of_claude_ai = false;
  bool has_times = false;  // of blocks
};

TurnLook look_at(std::string_view turn) {
  TurnLook look;
  look.has_times = turn.find("\"start_timestamp\"") != std::string_view::npos;
  if (!turn.starts_with('{')) return look;
  for (const JsonPiece& piece : cut_json(turn, {"content"})) {
    if (piece.member == "role" || piece.member == "sender") {
      const Result<ParsedJson> parsed = parse_json(piece.text);
      if (parsed && parsed->value.is_string()) {
        look.role = normal_key(view(parsed->value.get_string()));
      }
    }
    look.has_content |= piece.member.empty() || piece.member == "content" || piece.member == "text";
    look.is_of_claude_ai |= piece.member == "parent_message_uuid" ||
                            piece.member == "attachments" || piece.member == "files";
  }
  // An empty array leaves no piece.
  look.has_content |= turn.find("\"content\"") != std::string_view::npos;
  return look;
}

Confidence recognises_json(std::string_view head) {
  bool has_human = false, has_times = false, is_of_claude_ai = false;
  for (const JsonPiece& piece : cut_json(head, {"turns", "messages"})) {
    // Something after the document: JSON lines, as a rule.
    if (piece.stray) return Confidence::no;
    if (!piece.member.empty()) {
      if (piece.member == "chat_messages" || piece.member == "mapping" ||
          piece.member == "max_tokens" || piece.member == "choices") {
        return Confidence::no;
      }
      continue;
    }
    const TurnLook look = look_at(piece.text);
    if (piece.cut && look.role.empty()) continue;
    if (!transcript::parse_role(look.role) || !look.has_content) return Confidence::no;
    has_human |= look.role == to_string(Role::human);
    has_times |= look.has_times;
    is_of_claude_ai |= look.is_of_claude_ai;
  }
  if (has_human) return is_of_claude_ai ? Confidence::maybe : Confidence::yes;
  return has_times ? Confidence::maybe : Confidence::no;
}

}  // namespace

Confidence recognises_transcript(std::string_view head) {
  head = trim(head);
  if (head.starts_with('[') || head.starts_with('{')) return recognises_json(head);
  return recognises_text(head);
}

}  // namespace weft::formats::anthropic
