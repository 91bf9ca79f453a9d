// Finds words of ASCII eight bytes at a time. Most text is ASCII, so most of the time is spent
// here.
//
// A loop over single bytes mispredicts its exit once or twice a word, which costs more than the
// work. In an eight-byte integer the end of a word is found without a branch.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "weft/search/letters.hpp"

namespace weft::search {

// Eight bytes of a text. Masks mark a byte by its highest bit.
class EightBytes {
 public:
  // Bytes beyond the text's end are zero.
  EightBytes(std::string_view text, std::size_t at) {
    const std::size_t left = text.size() - at;
    if (left >= sizeof bytes_) {
      std::memcpy(&bytes_, text.data() + at, sizeof bytes_);
    } else {
      std::memcpy(&bytes_, text.data() + at, left);
    }
    if constexpr (std::endian::native == std::endian::big) bytes_ = __builtin_bswap64(bytes_);
  }

  std::uint64_t high() const { return bytes_ & kHighBits; }
  std::uint64_t digits() const { return between(low_bits(), '0', '9') & ~high(); }
  std::uint64_t letters() const { return between(low_bits() | kOnes * 0x20, 'a', 'z') & ~high(); }
  std::uint64_t upper() const { return letters() & ~(bytes_ << 2); }  // bit 5 is the case

  // Bytes that are neither letter nor digit.
  std::uint64_t others() const { return ~(letters() | digits()) & kHighBits; }

  // The index of the first marked byte; 8 if none is.
  static std::size_t first(std::uint64_t marks) {
    return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
  }
  // All bits before the first mark; all bits if there is none.
  static std::uint64_t before_first(std::uint64_t marks) { return (marks & (0 - marks)) - 1; }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101;
  static constexpr std::uint64_t kHighBits = kOnes * 0x80;

  std::uint64_t low_bits() const { return bytes_ & ~kHighBits; }
  // For bytes below 0x80: no sum carries into the next byte.
  static std::uint64_t between(std::uint64_t bytes, std::uint64_t first, std::uint64_t last) {
    return (bytes + kOnes * (0x80 - first)) & ~(bytes + kOnes * (0x7F - last)) & kHighBits;
  }

  std::uint64_t bytes_ = 0;
};

// A run of ASCII letters and digits.
struct AsciiRun {
  std::size_t end = 0;
  std::uint8_t seen = 0;      // which of kLower, kUpper and kDigit are in it
  bool upper_inside = false;  // an upper-case letter after its first byte
};

// The run at `at`; empty if there is none.
inline AsciiRun read_ascii_run(std::string_view text, std::size_t at) {
  AsciiRun run{.end = at};
  std::uint64_t upper = 0, inner_upper = 0, lower = 0, digits = 0;
  std::uint64_t inner = ~std::uint64_t{0xFF};  // the first byte of all is not inside
  std::size_t count = 8;
  while (count == 8 && run.end < text.size()) {
    const EightBytes bytes(text, run.end);
    const std::uint64_t others = bytes.others();
    const std::uint64_t run_bits = EightBytes::before_first(others);
    const std::uint64_t uppers = bytes.upper() & run_bits;
    upper |= uppers;
    inner_upper |= uppers & inner;
    lower |= bytes.letters() & ~uppers & run_bits;
    digits |= bytes.digits() & run_bits;
    inner = ~std::uint64_t{0};
    count = EightBytes::first(others);
    run.end += count;
  }
  run.upper_inside = inner_upper != 0;
  run.seen = static_cast<std::uint8_t>((upper != 0 ? kUpper : 0) | (lower != 0 ? kLower : 0) |
                                       (digits != 0 ? kDigit : 0));
  return run;
}

// The next position, from `at` on, of a word byte or a byte beyond ASCII; the text's end if there
// is none.
inline std::size_t skip_ascii_separators(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const EightBytes bytes(text, at);
    const std::size_t count = EightBytes::first(bytes.letters() | bytes.digits() | bytes.high());
    at += count;
    if (count < 8) return at;
  }
  return text.size();
}

}  // namespace weft::search
