#include "weft/search/visible.hpp"

#include <utf8proc.h>

#include "weft/search/escapes.hpp"
#include "weft/search/letters.hpp"

namespace weft::search {
namespace {

enum class Look { shown, blank, hidden };

Look look_of(std::int32_t point) {
  if ((point >= 0x09 && point <= 0x0D) || point == 0x85) return Look::blank;
  // Variation selectors say how the character before them looks, and mislead nobody.
  if (point >= 0xFE00 && point <= 0xFE0F) return Look::shown;
  if (point >= 0xFFF9 && point <= 0xFFFB) return Look::hidden;    // annotations
  if (point >= 0xE0000 && point <= 0xE007F) return Look::hidden;  // tags
  const utf8proc_property_t& property = *utf8proc_get_property(point);
  if (property.ignorable) return Look::hidden;
  switch (property.category) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return Look::blank;
    case UTF8PROC_CATEGORY_CC: return Look::hidden;
    default: return Look::shown;
  }
}

// Read from a text's bytes; a byte that begins no code point has none.
bool is_broken(std::string_view text, std::size_t at, const CodePoint& point) {
  return point.size == 1 && is_high(text[at]);
}

bool hides(std::string_view text, std::size_t at, const CodePoint& point) {
  const char c = text[at];
  if (c == '\n' || c == '\t') return false;
  return look_of(point.value) == Look::hidden || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

std::vector<VisiblePoint> visible_points(std::string_view text, std::size_t begin,
                                         std::size_t end) {
  std::vector<VisiblePoint> points;
  for (std::size_t at = begin; at < end;) {
    if (const std::size_t size = escape_at(text, at); size > 0) {
      at += size;
      continue;
    }
    const CodePoint point = read_code_point(text, at);
    const bool broken = is_broken(text, at, point);
    switch (broken ? Look::shown : look_of(point.value)) {
      case Look::shown:
        points.push_back({.begin = at,
                          .bytes = broken ? "\uFFFD" : text.substr(at, point.size),
                          .is_of_word = point.is_of_word()});
        break;
      case Look::blank:
        if (!points.empty() && !points.back().is_blank()) {
          points.push_back({.begin = at, .bytes = " "});
        }
        break;
      case Look::hidden: break;
    }
    at += point.size;
  }
  if (!points.empty() && points.back().is_blank()) points.pop_back();
  return points;
}

bool has_hidden(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (const char c = text[at]; c >= 0x20 && c < 0x7F) {
      ++at;
      continue;
    }
    const CodePoint point = read_code_point(text, at);
    if (is_broken(text, at, point) || hides(text, at, point)) return true;
    at += point.size;
  }
  return false;
}

std::string without_hidden(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t size = escape_at(text, at); size > 0) {
      at += size;
      continue;
    }
    const CodePoint point = read_code_point(text, at);
    if (is_broken(text, at, point)) {
      out += "\uFFFD";
    } else if (!hides(text, at, point)) {
      out += text.substr(at, point.size);
    }
    at += point.size;
  }
  return out;
}

}  // namespace weft::search
