// Cuts a JSON text into its members or elements by counting brackets, so that the whole parts
// of a broken or cut-off text are still found.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

struct JsonPiece {
  std::string member;      // its name; empty for an element of an array
  std::string_view text;   // points into the text that was cut
  std::uint64_t line = 0;  // 0-based, within that text
  bool cut = false;        // the text ended before the piece did
  bool stray = false;      // it stands where no member or element belongs
};

// The members of an object, or the elements of an array; of an object with an array under one
// of `keys`, the elements of that array and the other members. Stops after kMaxBlocks + 1.
std::vector<JsonPiece> cut_json(std::string_view text, std::vector<std::string> keys);

// Whether `text` begins with an object that continues beyond its first line: one document
// rather than JSON lines.
bool is_over_lines(std::string_view text);

}  // namespace weft::formats
