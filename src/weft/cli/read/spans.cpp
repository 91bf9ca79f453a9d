#include "weft/cli/read/spans.hpp"

#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kJoiner = "\xE2\x80\x8D";  // joins emoji to one
// Narrower than this, a line holds no word.
constexpr std::size_t kLeastColumns = 8;

// A character with the marks that belong to it.
struct Glyph {
  std::string_view text{};  // points into a span
  std::size_t width = 0;
  Colour colour = Colour::none;
  bool is_blank = false;
};

std::size_t bytes_of_character(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && is_continuation(text[bytes])) ++bytes;
  return bytes;
}

std::vector<Glyph> glyphs_of(const Spans& spans) {
  std::vector<Glyph> glyphs;
  for (const Span& span : spans) {
    std::string_view rest = span.text;
    bool begins = true;
    while (!rest.empty()) {
      const std::string_view character = rest.substr(0, bytes_of_character(rest));
      const std::size_t width = display_width(character);
      const bool joins =
          !begins && !glyphs.empty() &&
          ((width == 0 && !glyphs.back().is_blank) || glyphs.back().text.ends_with(kJoiner));
      if (joins) {
        Glyph& whole = glyphs.back();
        whole.text = {whole.text.data(), whole.text.size() + character.size()};
        whole.width += width;
      } else {
        glyphs.push_back({character, width, span.colour, character == " "});
      }
      begins = false;
      rest.remove_prefix(character.size());
    }
  }
  return glyphs;
}

std::string painted(const std::vector<Glyph>& glyphs, std::size_t begin, std::size_t end,
                    const Style& style) {
  std::string line, run;
  for (std::size_t i = begin; i < end; ++i) {
    run += glyphs[i].text;
    if (i + 1 == end || glyphs[i + 1].colour != glyphs[i].colour) {
      line += style.paint(glyphs[i].colour, run);
      run.clear();
    }
  }
  return line;
}

// Where the line that begins at `begin` ends, and where the next one begins.
struct Break {
  std::size_t end, next;
};
Break find_break(const std::vector<Glyph>& glyphs, std::size_t begin, std::size_t room) {
  std::size_t at = begin, width = 0, last = begin;
  while (at < glyphs.size() && (at == begin || width + glyphs[at].width <= room)) {
    const bool breaks_before = glyphs[at].is_blank || glyphs[at].width > 1;
    if (at > begin && (breaks_before || glyphs[at - 1].width > 1)) last = at;
    width += glyphs[at++].width;
  }
  if (at == glyphs.size()) return {at, at};
  std::size_t end = glyphs[at].is_blank || glyphs[at].width > 1 || last == begin ? at : last;
  std::size_t next = end;
  while (next < glyphs.size() && glyphs[next].is_blank) ++next;
  while (end > begin && glyphs[end - 1].is_blank) --end;
  // A line of blanks alone: the next word is too wide for what they leave.
  if (end == begin) return {at, at};
  return {end, next};
}

}  // namespace

std::vector<std::string> wrapped(const Spans& spans, const Style& style, std::size_t columns,
                                 const Indent& indent) {
  const std::vector<Glyph> glyphs = glyphs_of(spans);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  do {
    const std::string& front = lines.empty() ? indent.first : indent.rest;
    const std::size_t used = painted_width(front);
    const std::size_t room = columns == Style::kUnlimited
                                 ? columns
                                 : std::max(kLeastColumns, columns - std::min(columns, used));
    const Break found = find_break(glyphs, begin, room);
    std::string line = front + painted(glyphs, begin, found.end, style);
    while (line.ends_with(' ')) line.pop_back();
    lines.push_back(std::move(line));
    begin = found.next;
  } while (begin < glyphs.size());
  return lines;
}

std::size_t painted_width(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const std::size_t escape = std::min(line.find('\x1b'), line.size());
    plain += line.substr(0, escape);
    line.remove_prefix(escape);
    if (line.empty()) break;
    line.remove_prefix(std::min(line.find('m') + 1, line.size()));
  }
  return display_width(plain);
}

std::string without_tabs(std::string_view line, std::size_t stop) {
  std::string out;
  std::size_t column = 0;
  while (!line.empty()) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    out += line.substr(0, tab);
    column += display_width(line.substr(0, tab));
    line.remove_prefix(tab);
    if (line.empty()) break;
    const std::size_t blanks = stop - column % stop;
    out.append(blanks, ' ');
    column += blanks;
    line.remove_prefix(1);
  }
  return out;
}

}  // namespace weft::cli
