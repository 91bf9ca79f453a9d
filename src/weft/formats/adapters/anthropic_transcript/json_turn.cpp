// Parses a turn of a transcript in its JSON form.
#include <algorithm>
#include <utility>

#include "weft/formats/adapters/anthropic_transcript/sections.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Sink;

// The parts of a turn: its members apart from the blocks, and the blocks.
struct Parts {
  json::object members;
  std::optional<std::vector<Section::Item>> items;
};

// The pieces of a turn that is broken, or that no value can hold. Sets `is_whole` to whether each
// of them could be parsed.
Parts parts_of_pieces(std::string_view text, std::uint64_t line, bool& is_whole, Sink& sink) {
  Parts parts;
  std::vector<JsonPiece> elements;
  is_whole = true;
  for (JsonPiece& piece : cut_json(text, {"content"})) {
    const std::uint64_t at = line + piece.line;
    if (piece.member.empty()) {
      elements.push_back(std::move(piece));
    } else if (piece.member == "content") {
      parts.items = parse_content(piece.text, at, sink);
    } else if (auto parsed = parse_or_skip(piece.text, at, sink)) {
      parts.members[piece.member] = std::move(parsed->value);
    } else {
      is_whole = false;
    }
  }
  if (!elements.empty()) {
    parts.items = parse_pieces(elements, line, sink);
    is_whole = is_whole && parts.items->size() == elements.size();
  }
  return parts;
}

std::optional<Parts> parts_of(std::string_view text, std::uint64_t line, Sink& sink) {
  Result<ParsedJson> parsed = parse_json(text);
  if (text.starts_with('{') && (!parsed || parsed->inexact)) {
    bool is_whole = false;
    Parts parts = parts_of_pieces(text, line, is_whole, sink);
    if (!parsed && is_whole) parse_or_skip(text, line, sink);
    return parts;
  }
  if (!parsed) {
    parse_or_skip(text, line, sink);
    return std::nullopt;
  }
  json::object* object = parsed->value.if_object();
  if (object == nullptr) {
    sink.skip({line, "malformed: a turn must be an object"});
    return std::nullopt;
  }
  Parts parts{.members = std::move(*object)};
  if (const json::value* content = find_member(parts.members, "content")) {
    parts.items = items_of(*content, line, sink);
  }
  return parts;
}

std::optional<std::string> first_string(const json::object& object,
                                        std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const auto text = find_string(object, key)) return std::string(*text);
  }
  return std::nullopt;
}

}  // namespace

Section parse_turn(const Record& record, Sink& sink) {
  std::optional<Parts> parts = parts_of(record.text, record.line, sink);
  if (!parts) return {};
  const json::object& members = parts->members;
  const auto label = first_string(members, {"role", "sender"});
  const auto role = label ? role_of(*label) : std::nullopt;
  if (!role) {
    sink.skip({record.line, label ? "malformed: unknown role" : "malformed: no role"});
    return {};
  }
  Section section{.role = *role,
                  .model = first_string(members, {"model"}),
                  .message_id = first_string(members, {"message_id"})};
  if (const auto time = first_string(members, {"created_at", "timestamp"})) {
    section.recorded = parse_iso8601(*time);
  }
  if (parts->items) {
    section.items = std::move(*parts->items);
  } else if (const json::value* text = find_member(members, "text")) {
    section.items = items_of(*text, record.line, sink);
  } else {
    sink.skip({record.line, "empty"});
  }
  return section;
}

}  // namespace weft::formats::anthropic
