// Recognises terminal escape sequences in program output, such as "\x1b[1;31m". They are neither
// indexed nor shown.
#pragma once

#include <cstddef>
#include <string_view>

namespace weft::search {

// The length of the sequence that begins at `at`; 0 if there is none.
constexpr std::size_t escape_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 32;
  if (!text.substr(at).starts_with("\x1b[")) return 0;
  for (std::size_t size = 2; size < kLongest && at + size < text.size(); ++size) {
    const char c = text[at + size];
    if (c >= 0x40 && c <= 0x7E) return size + 1;
    if (c < 0x20 || c > 0x3F) return 0;
  }
  return 0;
}

// The end of the sequence that contains the word at `at`; `at` if it is in none.
constexpr std::size_t after_escape(std::string_view text, std::size_t at) {
  // "[" before it, or "[?": all that may stand between the bracket and the first digit.
  for (std::size_t back = 2; back <= 3 && back <= at; ++back) {
    if (text[at - back] != '\x1b') continue;
    if (const std::size_t size = escape_at(text, at - back); size > back) return at - back + size;
  }
  return at;
}

}  // namespace weft::search
