#include "weft/cli/render/text.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "weft/base/utf8.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "…";
// A line of a terminal shows a few hundred characters at most.
constexpr std::size_t kFirstWordsCodePoints = 600;

// The code point at the front of valid UTF-8, and its length in bytes.
struct Character {
  std::int32_t code = 0;
  std::size_t bytes = 1;
};

// Most text is this: one byte, one column, and shown as it is.
constexpr bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

Character first_character(std::string_view text) {
  if (is_plain(text.front())) return {text.front(), 1};
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (bytes <= 0) return {0xFFFD, 1};
  return {code, static_cast<std::size_t>(bytes)};
}

// Marks, embeddings, overrides and isolates can make a line read as something else; tag characters
// and spaces of no width are invisible.
bool misleads(std::int32_t code) {
  return code == 0x061C || code == 0x200B || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x2069) ||
         code == 0xFEFF || (code >= 0xE0000 && code <= 0xE007F);
}

// Joiners have no width either, but emoji and some scripts are written with them: between two
// characters beyond ASCII they stay.
bool is_joiner(std::int32_t code) { return code == 0x200C || code == 0x200D; }

bool joins(std::string_view out, std::string_view rest) {
  const auto is_wide = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  return !out.empty() && is_wide(out.back()) && !rest.empty() && is_wide(rest.front());
}

void append_safe(std::string& out, std::string_view text, const Character& character) {
  const std::int32_t code = character.code;
  if (code < 0x20 && code != '\n' && code != '\t') {
    // The control pictures begin at U+2400, in the order of the controls.
    out += {'\xE2', '\x90', static_cast<char>(0x80 + code)};
  } else if (code == 0x7F) {
    out += "\xE2\x90\xA1";
  } else if ((code >= 0x80 && code < 0xA0) || misleads(code) ||
             (is_joiner(code) && !joins(out, text.substr(character.bytes)))) {
    out += kReplacement;
  } else {
    out += text.substr(0, character.bytes);
  }
}

std::size_t width_of(std::int32_t code) {
  if (code >= 0x20 && code < 0x7F) return 1;
  return static_cast<std::size_t>(std::max(0, utf8proc_charwidth(code)));
}

bool is_blank(std::int32_t code) {
  return code == ' ' || code == '\n' || code == '\t' || code == '\r' || code == 0x2028 ||
         code == 0x2029;
}

}  // namespace

std::string made_safe(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  text = repair_utf8(text, storage, repairs);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!text.starts_with("\r\n")) append_safe(out, text, character);
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string without_colours(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find("\x1b["), text.size());
    out += text.substr(0, escape);
    text.remove_prefix(escape);
    if (text.empty()) break;
    const std::size_t end = text.find_first_not_of("0123456789;:", 2);
    const bool is_colour = end != std::string_view::npos && text[end] == 'm';
    if (!is_colour) out += text.substr(0, 2);
    text.remove_prefix(is_colour ? end + 1 : 2);
  }
  return out;
}

std::string escaped_for_terminal(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  const auto append_unit = [&](std::int32_t unit) { out += fmt::format("\\u{:04x}", unit); };
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  while (!json.empty()) {
    // Most of it is ASCII.
    const auto end = std::ranges::find_if_not(json, is_plain);
    out.append(json.begin(), end);
    json.remove_prefix(static_cast<std::size_t>(end - json.begin()));
    if (json.empty()) break;
    const Character character = first_character(json);
    const std::int32_t code = character.code;
    if (code >= 0x10000 && misleads(code)) {
      append_unit(0xD800 + ((code - 0x10000) >> 10));
      append_unit(0xDC00 + ((code - 0x10000) & 0x3FF));
    } else if ((code >= 0x7F && code < 0xA0) || misleads(code) || is_joiner(code) ||
               (code < 0x20 && code != '\n' && code != '\t')) {
      append_unit(code);
    } else {
      out += json.substr(0, character.bytes);
    }
    json.remove_prefix(character.bytes);
  }
  return out;
}

std::string on_one_line(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  text = repair_utf8(text, storage, repairs);
  std::string out;
  bool blank = false;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto word = static_cast<std::size_t>(
        std::ranges::find_if_not(text, [](char c) { return is_plain(c) && c != ' '; }) -
        text.begin());
    const Character character = word > 0 ? Character{.bytes = word} : first_character(text);
    if (word == 0 && is_blank(character.code)) {
      blank = !out.empty();
    } else {
      if (blank) out += ' ';
      blank = false;
      if (word > 0) out += text.substr(0, word);
      else append_safe(out, text, character);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string first_words(std::string_view text) {
  // Cut in bytes before anything else: a tool may have printed megabytes.
  const bool cut = text.size() > 4 * kFirstWordsCodePoints;
  text = cut_utf8(text, 4 * kFirstWordsCodePoints);
  std::string line = on_one_line(text);
  if (cut) line += kEllipsis;
  return line;
}

std::size_t display_width(std::string_view text) {
  const auto* rest = std::ranges::find_if_not(text, is_plain);
  auto width = static_cast<std::size_t>(rest - text.begin());
  text.remove_prefix(width);
  while (!text.empty()) {
    const Character character = first_character(text);
    width += width_of(character.code);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string fitted(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  std::string out;
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += width_of(character.code);
    if (width > columns - 1) break;
    out += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  while (out.ends_with(' ')) out.pop_back();
  out += kEllipsis;
  return out;
}

}  // namespace weft::cli
