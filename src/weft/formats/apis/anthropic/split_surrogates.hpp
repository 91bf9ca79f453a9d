// Joins characters beyond the BMP that a stream cut in two: "\ud83d" ends one delta, "\ude00"
// begins the next. Each event alone is broken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats::anthropic {

struct SplitSurrogates {
  std::uint32_t low = 0;   // the second half that a string of the event begins with
  std::uint32_t high = 0;  // the first half that one ends with; 0 for none
};

// `event` without such halves at the ends of its strings; in `storage` if there were any.
std::string_view take_halves(std::string_view event, std::string& storage, SplitSurrogates& halves);

// Appends the character of both halves as UTF-8, or U+FFFD for one half alone.
void append_halves(std::string& out, std::uint32_t high, std::uint32_t low);

}  // namespace weft::formats::anthropic
