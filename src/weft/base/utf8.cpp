// Repair is the first thing that happens to every line of every transcript, and
// nearly every line needs none: the work here is to find that out quickly.
#include "weft/base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace weft {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kReplacementEscape = "\\uFFFD";

constexpr std::uint8_t byte(char c) { return static_cast<std::uint8_t>(c); }

// How many ASCII bytes `text` starts with, 32 and then 8 at a time.
std::size_t count_ascii(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t i = 0;
  std::uint64_t words[4];
  for (; i + sizeof words <= text.size(); i += sizeof words) {
    std::memcpy(words, text.data() + i, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
  }
  for (; i + sizeof words[0] <= text.size(); i += sizeof words[0]) {
    std::memcpy(words, text.data() + i, sizeof words[0]);
    if ((words[0] & kHighBits) != 0) break;
  }
  while (i < text.size() && byte(text[i]) < 0x80) ++i;
  return i;
}

// The sequence at the start of a text that does not start with ASCII.
struct Sequence {
  std::size_t size;  // of the character, or of the maximal part that could have
                     // begun one
  bool valid;
};

// Table 3-7 of the Unicode Standard: the second byte's range depends on the
// first; that excludes overlong forms, surrogates and code points beyond
// U+10FFFF.
Sequence read_sequence(std::string_view text) {
  const std::uint8_t lead = byte(text[0]);
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (text.size() < 2 || byte(text[1]) < low || byte(text[1]) > high) return {1, false};
  for (std::size_t i = 2; i < size; ++i) {
    if (i == text.size() || !is_continuation(text[i])) return {i, false};
  }
  return {size, true};
}

// How many bytes of valid UTF-8 `text` starts with, whole characters only.
std::size_t count_valid(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (byte(text[i]) < 0x80) {
      i += count_ascii(text.substr(i));
      continue;
    }
    const Sequence sequence = read_sequence(text.substr(i));
    if (!sequence.valid) break;
    i += sequence.size;
  }
  return i;
}

enum class Half { none, high, low };

// Which half of a surrogate pair the escape at the start of `text` is, if any.
Half read_surrogate_escape(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return Half::none;
  if (text[2] != 'd' && text[2] != 'D') return Half::none;
  const auto is_hex = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  if (!is_hex(text[3]) || !is_hex(text[4]) || !is_hex(text[5])) return Half::none;
  if (std::string_view("89aAbB").contains(text[3])) return Half::high;
  if (std::string_view("cCdDeEfF").contains(text[3])) return Half::low;
  return Half::none;
}

// Whether `\ud` or `\uD` stands anywhere in `text`: most lines hold many escapes and
// none of these. Blocks of a fixed size, so that the compiler looks at 16 bytes at once.
bool may_hold_surrogate_escape(std::string_view text) {
  constexpr std::size_t kBlock = 64;
  const char* p = text.data();
  std::size_t left = text.size();
  for (; left >= kBlock + 2; p += kBlock, left -= kBlock) {
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      found |= static_cast<std::uint8_t>((p[i] == '\\') & (p[i + 1] == 'u') &
                                         ((p[i + 2] | 0x20) == 'd'));
    }
    if (found != 0) return true;
  }
  const std::string_view rest(p, left);
  return rest.contains("\\ud") || rest.contains("\\uD");
}

// The first lone surrogate escape at or after `from`; npos if there is
// none. `from` is outside of any escape. Escapes are read from the left, two
// bytes or more each, so the backslash in `\\ud83d` is never mistaken for the
// start of one.
std::size_t find_lone_surrogate(std::string_view text, std::size_t from) {
  while ((from = text.find('\\', from)) != std::string_view::npos) {
    switch (read_surrogate_escape(text.substr(from))) {
      case Half::none: from += 2; break;
      case Half::low: return from;
      case Half::high:
        if (read_surrogate_escape(text.substr(from + 6)) != Half::low) return from;
        from += 12;
        break;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string_view repair_utf8(std::string_view text, std::string& storage, std::size_t& repairs) {
  std::size_t valid = count_valid(text);
  if (valid == text.size()) return text;
  storage.clear();
  storage.reserve(text.size() + text.size() / 8);
  while (true) {
    storage += text.substr(0, valid);
    text.remove_prefix(valid);
    if (text.empty()) return storage;
    storage += kReplacement;
    ++repairs;
    text.remove_prefix(read_sequence(text).size);
    valid = count_valid(text);
  }
}

std::string_view repair_json(std::string_view text, std::string& storage, std::size_t& repairs) {
  const std::string_view repaired = repair_utf8(text, storage, repairs);
  if (!may_hold_surrogate_escape(repaired)) return repaired;
  std::size_t lone = find_lone_surrogate(repaired, 0);
  if (lone == std::string_view::npos) return repaired;
  // Both escapes are six bytes, so the rest is done in place.
  if (repaired.data() != storage.data()) storage.assign(repaired);
  while (lone != std::string_view::npos) {
    storage.replace(lone, kReplacementEscape.size(), kReplacementEscape);
    ++repairs;
    lone = find_lone_surrogate(storage, lone + kReplacementEscape.size());
  }
  return storage;
}

// Eight bytes at a time: of those that only continue a code point, the highest bit is set and the
// next one is not; the product adds up the eight.
std::size_t count_code_points(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::size_t points = text.size();
  for (std::uint64_t word; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    points -= ((word >> 7) & ~(word >> 6) & kOnes) * kOnes >> 56;
  }
  return points - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

std::string_view slice_code_points(std::string_view text, std::size_t from, std::size_t to) {
  std::size_t begin = text.size();
  std::size_t point = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_continuation(text[i])) continue;
    if (point == to) return begin < i ? text.substr(begin, i - begin) : text.substr(i, 0);
    if (point == from) begin = i;
    ++point;
  }
  return text.substr(begin);
}

}  // namespace weft
