#include <utility>

#include "weft/formats/apis/anthropic/section.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::anthropic {
namespace {

bool is_empty(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty());
}

void skip_empty(std::uint64_t line, transcript::Sink& sink) { sink.skip({line, "empty"}); }

void skip_rest(std::uint64_t line, transcript::Sink& sink) {
  sink.skip({line, "too large: more than " + std::to_string(kMaxBlocks) + " blocks in one turn"});
}

// One element of a broken array. Empty if it cannot be taken.
std::optional<ParsedBlock> parse_piece(const Piece& piece, std::uint64_t line,
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

std::vector<Piece> cut_json(std::string_view text, std::vector<std::string> keys) {
  std::vector<Piece> pieces;
  const OnRecord record = [&](const Record& found) {
    if (pieces.size() > kMaxBlocks) return;  // one more, so that it shows
    // The record's own text is gone after this call.
    pieces.push_back({.member = std::string(found.member),
                      .text = text.substr(found.offset, found.text.size()),
                      .line = found.line - 1,
                      .cut = found.cut,
                      .stray = found.stray});
  };
  const OnOversize oversize = [&](std::uint64_t line, std::uint64_t) {
    pieces.push_back({.line = line - 1, .cut = true});
  };
  const std::unique_ptr<Framer> framer = json_framer(std::move(keys));
  framer->push(text, record, oversize);
  framer->end(record, oversize);
  return pieces;
}

std::vector<Section::Item> parse_pieces(const std::vector<Piece>& pieces, std::uint64_t line,
                                        transcript::Sink& sink, ParseBlock parse) {
  std::vector<Section::Item> items;
  std::uint32_t index = 0;
  for (const Piece& piece : pieces) {
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

  const std::vector<Piece> pieces = cut_json(content, {});
  std::vector<Section::Item> items = parse_pieces(pieces, line, sink, parse);
  // Every element is whole, and yet the array is not.
  const bool nothing_emitted = items.size() == pieces.size();
  if (!parsed && nothing_emitted) parse_or_skip(content, line, sink);
  return items;
}

}  // namespace weft::formats::anthropic
