#include "weft/formats/apis/anthropic/content.hpp"

#include <utility>

#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::anthropic {
namespace {

bool is_empty(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty());
}

void skip_empty(std::uint64_t line, transcript::Sink& sink) { sink.skip({line, "empty"}); }

void skip_rest(std::uint64_t line, transcript::Sink& sink) {
  sink.skip({line, "too large: more than " + std::to_string(kMaxBlocks) + " blocks in one turn"});
}

// One element of a broken array. Empty if it cannot be read.
std::optional<ParsedBlock> parse_piece(const JsonPiece& piece, std::uint64_t line,
                                       transcript::Sink& sink, ParseBlock parse) {
  if (piece.stray) {
    sink.skip({line, "malformed: something follows the array"});
    return std::nullopt;
  }
  std::optional<ParsedJson> parsed = parse_or_skip(piece.text, line, sink);
  if (!parsed) return std::nullopt;
  if (parsed->value.is_null()) {
    skip_empty(line, sink);
    return std::nullopt;
  }
  if (parsed->inexact) return ParsedBlock{.body = unknown_from_text(parsed->value, piece.text)};
  return parse(parsed->value);
}

}  // namespace

std::optional<transcript::Role> role_of(std::string_view label) {
  const std::string name = normal_key(label);
  if (name == "user") return transcript::Role::human;
  return transcript::parse_role(name);
}

std::vector<Section::Item> parse_pieces(const std::vector<JsonPiece>& pieces, std::uint64_t line,
                                        transcript::Sink& sink, ParseBlock parse) {
  std::vector<Section::Item> items;
  std::uint32_t index = 0;
  for (const JsonPiece& piece : pieces) {
    if (index == kMaxBlocks) {
      skip_rest(line + piece.line, sink);
      break;
    }
    if (auto block = parse_piece(piece, line + piece.line, sink, parse)) {
      items.push_back({index, std::move(*block)});
    }
    ++index;
  }
  return items;
}

std::vector<Section::Item> items_of(const json::value& content, std::uint64_t line,
                                    transcript::Sink& sink, ParseBlock parse) {
  std::vector<Section::Item> items;
  if (is_empty(content)) {
    skip_empty(line, sink);
    return items;
  }
  const json::array* array = content.if_array();
  if (array == nullptr) {
    items.push_back({0, parse(content)});
    return items;
  }
  std::uint32_t index = 0;
  for (const json::value& element : *array) {
    if (index == kMaxBlocks) {
      skip_rest(line, sink);
      break;
    }
    if (element.is_null()) {
      skip_empty(line, sink);
    } else {
      items.push_back({index, parse(element)});
    }
    ++index;
  }
  return items;
}

std::vector<Section::Item> parse_content(std::string_view content, std::uint64_t line,
                                         transcript::Sink& sink, ParseBlock parse) {
  if (content.empty()) {
    skip_empty(line, sink);
    return {};
  }
  const Result<ParsedJson> parsed = parse_json(content);
  if (parsed && !parsed->inexact) return items_of(parsed->value, line, sink, parse);
  if (content.front() != '[') return parse_pieces({{.text = content}}, line, sink, parse);

  const std::vector<JsonPiece> pieces = cut_json(content, {});
  std::vector<Section::Item> items = parse_pieces(pieces, line, sink, parse);
  // Every element is whole, but the array is not.
  const bool nothing_emitted = items.size() == pieces.size();
  if (!parsed && nothing_emitted) parse_or_skip(content, line, sink);
  return items;
}

}  // namespace weft::formats::anthropic
