// Repairs broken UTF-8, counts code points, and cuts texts between characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft {

// `text` if it is valid UTF-8; else, in `storage`, the same with each maximal
// invalid part replaced by U+FFFD (the WHATWG and Unicode practice). Adds the
// number of replacements to `repairs`. The result points into one of the two;
// `text` itself may not lie in `storage`.
std::string_view repair_utf8(std::string_view text, std::string& storage, std::size_t& repairs);

// The same for JSON text: also turns \uD83D without its other half into \uFFFD,
// which a JSON parser would refuse. Valid pairs and everything else stay as
// they are, broken JSON too: reporting it is the parser's task.
std::string_view repair_json(std::string_view text, std::string& storage, std::size_t& repairs);

// Whether a byte continues a character that an earlier byte began.
constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The beginning of `text`, at most `bytes` long, without a part of a character at its end. Points
// into `text`.
constexpr std::string_view cut_utf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && is_continuation(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

// The length in code points. `text` is valid UTF-8.
std::size_t count_code_points(std::string_view text);

// The part of `text` from code point `from` up to `to`, both clamped to its
// end; empty if `to` is not beyond `from`. `text` is valid UTF-8; the result
// points into it.
std::string_view slice_code_points(std::string_view text, std::size_t from, std::size_t to);

}  // namespace weft
