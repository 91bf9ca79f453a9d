#include "weft/formats/framing/json_pieces.hpp"

#include <utility>

#include "weft/formats/framing/framing.hpp"
#include "weft/formats/framing/json_value_scanner.hpp"

namespace weft::formats {

std::vector<JsonPiece> cut_json(std::string_view text, std::vector<std::string> keys) {
  std::vector<JsonPiece> pieces;
  const OnRecord record = [&](const Record& found) {
    if (pieces.size() > kMaxBlocks) return;  // one more shows that there were too many
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

bool is_over_lines(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (!text.starts_with('{') || end == std::string_view::npos) return false;
  JsonValueScanner scanner;
  scanner.start();
  if (scanner.feed(text.substr(0, end)).done) return false;
  // A torn line is followed by another object.
  return !text.substr(end + 1).starts_with('{');
}

}  // namespace weft::formats
