#include "weft/search/letters.hpp"

#include <utf8proc.h>

#include <algorithm>

namespace weft::search {
namespace {

struct Range {
  std::int32_t first, last;
};

template <std::size_t kSize>
bool is_in(const std::array<Range, kSize>& ranges, std::int32_t point) {
  const auto after = std::ranges::upper_bound(ranges, point, {}, &Range::first);
  return after != ranges.begin() && point <= (after - 1)->last;
}

// Scripts without spaces between words. Characters of these ranges that are not letters, marks or
// numbers separate words, as everywhere.
constexpr std::array kUnspaced = std::to_array<Range>({
    {0x0E00, 0x0E7F},    // Thai
    {0x0E80, 0x0EFF},    // Lao
    {0x1000, 0x109F},    // Myanmar
    {0x1100, 0x11FF},    // Hangul jamo
    {0x1780, 0x17FF},    // Khmer
    {0x3005, 0x3007},    // 々 〆 〇
    {0x3040, 0x30FF},    // Hiragana, Katakana
    {0x3130, 0x318F},    // Hangul compatibility jamo
    {0x31F0, 0x31FF},    // Katakana, small
    {0x3400, 0x4DBF},    // Han
    {0x4E00, 0x9FFF},    // Han
    {0xA960, 0xA97F},    // Hangul jamo
    {0xA9E0, 0xA9FF},    // Myanmar
    {0xAA60, 0xAA7F},    // Myanmar
    {0xAC00, 0xD7FF},    // Hangul
    {0xF900, 0xFAFF},    // Han, compatibility
    {0xFF66, 0xFFDC},    // Katakana and Hangul of half width
    {0x1AFF0, 0x1B16F},  // kana, historic and small
    {0x20000, 0x3FFFF},  // Han
});

// Letters to Unicode, but they complete the one before: written apart they are the same word.
// The vowels and finals of Hangul; the voice marks of half-width Katakana.
constexpr std::array kCompleting = std::to_array<Range>({
    {0x1160, 0x11FF},
    {0xD7B0, 0xD7FF},
    {0xFF9E, 0xFF9F},
});

constexpr std::array kEmoji = std::to_array<Range>({{0x2600, 0x27BF}, {0x1F000, 0x1FAFF}});
constexpr Range kSkinTones = {0x1F3FB, 0x1F3FF};
constexpr std::int32_t kZeroWidthSpace = 0x200B;  // where words part in scripts without spaces

Letter letter_of(std::int32_t point) {
  if (is_in(kEmoji, point)) {
    const bool tone = point >= kSkinTones.first && point <= kSkinTones.last;
    return tone ? Letter::ignorable : Letter::emoji;
  }
  const utf8proc_property_t& property = *utf8proc_get_property(point);
  if (property.ignorable) return point == kZeroWidthSpace ? Letter::none : Letter::ignorable;
  switch (property.category) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return Letter::mark;
    case UTF8PROC_CATEGORY_LL: return Letter::lower;
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return Letter::upper;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      if (!is_in(kUnspaced, point)) return Letter::word;
      return is_in(kCompleting, point) ? Letter::mark : Letter::unspaced;
    default: return Letter::none;
  }
}

}  // namespace

CodePoint read_code_point(std::string_view text, std::size_t at) {
  if (!is_high(text[at])) {
    return {.value = static_cast<std::uint8_t>(text[at]), .size = 1, .letter = letter_at(text, at)};
  }
  std::int32_t point = 0;
  // utf8proc reads no further than a code point; its lengths are signed.
  const std::size_t left = std::min<std::size_t>(text.size() - at, 4);
  const utf8proc_ssize_t size =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                       static_cast<utf8proc_ssize_t>(left), &point);
  if (size <= 0) return {};
  return {.value = point, .size = static_cast<std::size_t>(size), .letter = letter_of(point)};
}

}  // namespace weft::search
