// Classifies characters for search: part of a word, between words, or a word by itself.
//
// Nearly all text is ASCII, so bytes have a table; other code points are looked up with utf8proc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weft::search {

// Classes of a byte, as bits. The bits of all bytes of a word, combined, describe the word.
inline constexpr std::uint8_t kLower = 1;
inline constexpr std::uint8_t kUpper = 2;
inline constexpr std::uint8_t kDigit = 4;
inline constexpr std::uint8_t kWord = kLower | kUpper | kDigit;
inline constexpr std::uint8_t kJoiner = 8;  // may join two words; ’ beyond ASCII may, too
inline constexpr std::uint8_t kData = 16;   // + / = _ -, which base64 has besides word bytes
inline constexpr std::uint8_t kHigh = 32;   // beyond ASCII

inline constexpr std::array<std::uint8_t, 256> kByteKinds = [] {
  std::array<std::uint8_t, 256> kinds{};
  for (std::size_t c = '0'; c <= '9'; ++c) kinds[c] = kDigit;
  for (std::size_t c = 'a'; c <= 'z'; ++c) kinds[c] = kLower;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = kUpper;
  for (std::size_t c = 0x80; c <= 0xFF; ++c) kinds[c] = kHigh;
  for (const char c : std::string_view("/\\:@#-+'._")) {
    kinds[static_cast<std::uint8_t>(c)] = kJoiner;
  }
  for (const char c : std::string_view("+/=_-")) kinds[static_cast<std::uint8_t>(c)] |= kData;
  return kinds;
}();

constexpr std::uint8_t kind_of(char c) { return kByteKinds[static_cast<std::uint8_t>(c)]; }
constexpr bool is_word(char c) { return (kind_of(c) & kWord) != 0; }
constexpr bool is_high(char c) { return (kind_of(c) & kHigh) != 0; }
constexpr bool is_data(char c) { return (kind_of(c) & (kWord | kData)) != 0; }

// The class of a code point.
enum class Letter : std::uint8_t {
  none,       // separates words
  word,       // of a word; has no case
  lower,      // of a word
  upper,      // of a word; title case too
  mark,       // belongs to the character before it
  ignorable,  // ignored: zero-width joiners, soft hyphens
  unspaced,   // of a script that is written without spaces: a word of its own
  emoji,      // a word by itself, and not indexed in pairs
};

struct CodePoint {
  std::int32_t value = 0;
  std::size_t size = 1;  // in bytes
  Letter letter = Letter::none;

  bool is_of_word() const {
    return letter == Letter::word || letter == Letter::lower || letter == Letter::upper ||
           letter == Letter::mark;
  }
};

// The code point at `at`, which is within `text`. A byte that begins none counts as one and
// separates words.
CodePoint read_code_point(std::string_view text, std::size_t at);

// The class of the code point at `at`; none at the text's end.
inline Letter letter_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return Letter::none;
  const std::uint8_t kind = kind_of(text[at]);
  if ((kind & kHigh) != 0) return read_code_point(text, at).letter;
  if ((kind & kLower) != 0) return Letter::lower;
  if ((kind & kUpper) != 0) return Letter::upper;
  return (kind & kDigit) != 0 ? Letter::word : Letter::none;
}

}  // namespace weft::search
