#include "weft/formats/framing/json_value_scanner.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace weft::formats {
namespace {

// Deeper brackets are counted, not kept, so that a gigabyte of "[" costs nothing.
constexpr std::size_t kMaxKept = 4096;

// What a byte means outside of strings.
enum class Means : std::uint8_t { nothing, opener, closer, quote, comma };
constexpr std::array<Means, 256> kMeanings = [] {
  std::array<Means, 256> meanings{};
  meanings['{'] = meanings['['] = Means::opener;
  meanings['}'] = meanings[']'] = Means::closer;
  meanings['"'] = Means::quote;
  meanings[','] = Means::comma;
  return meanings;
}();
Means meaning_of(char c) { return kMeanings[static_cast<unsigned char>(c)]; }

bool is_mark(char c) { return c == '"' || c == '\\'; }

}  // namespace

// Eight bytes at a time: the lowest bit that is set is that of the first mark ("Determine if a
// word has a zero byte" in Bit Twiddling Hacks), and that is the first byte in memory, too,
// where words begin with their lowest.
std::size_t count_unmarked(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighBits = kOnes * 0x80;
  const auto has_zero = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighBits; };
  std::size_t i = 0;
  for (std::uint64_t word; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    const std::uint64_t marks = has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\');
    if (marks == 0) continue;
    if constexpr (std::endian::native != std::endian::little) break;
    return i + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
  }
  while (i < text.size() && !is_mark(text[i])) ++i;
  return i;
}

void JsonValueScanner::start() {
  kind_ = Kind::fresh;
  open_.clear();
  deeper_ = 0;
  in_string_ = escaped_ = false;
}

void JsonValueScanner::open(char bracket) {
  if (open_.size() < kMaxKept) {
    open_ += bracket;
  } else {
    ++deeper_;
  }
}

void JsonValueScanner::close(char bracket) {
  if (deeper_ > 0) {
    --deeper_;
    return;
  }
  const std::size_t opener = open_.rfind(bracket == '}' ? '{' : '[');
  if (opener != std::string::npos) open_.resize(opener);
}

std::size_t JsonValueScanner::skip_string(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (escaped_) {
      escaped_ = false;
      ++i;
      continue;
    }
    i += count_unmarked(bytes.substr(i));
    if (i == bytes.size()) break;
    in_string_ = bytes[i] != '"';
    escaped_ = in_string_;
    ++i;
    if (!in_string_) break;
  }
  return i;
}

JsonValueScanner::Step JsonValueScanner::feed(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (in_string_) {
      i += skip_string(bytes.substr(i));
      if (!in_string_ && kind_ == Kind::quoted) return {i, true};
      continue;
    }
    const Means means = meaning_of(bytes[i]);
    if (kind_ == Kind::fresh) {
      kind_ = means == Means::opener  ? Kind::bracketed
              : means == Means::quote ? Kind::quoted
                                      : Kind::bare;
    } else if (kind_ == Kind::bare && means != Means::nothing) {
      return {i, true};
    }
    switch (means) {
      case Means::quote: in_string_ = true; break;
      case Means::opener: open(bytes[i]); break;
      case Means::closer:
        close(bytes[i]);
        if (kind_ == Kind::bracketed && is_closed()) return {i + 1, true};
        break;
      default: break;
    }
    ++i;
    while (i < bytes.size() && !in_string_ && meaning_of(bytes[i]) == Means::nothing) ++i;
  }
  return {i, false};
}

}  // namespace weft::formats
