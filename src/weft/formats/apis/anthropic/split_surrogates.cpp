#include "weft/formats/apis/anthropic/split_surrogates.hpp"

#include <charconv>
#include <optional>

namespace weft::formats::anthropic {
namespace {

constexpr std::size_t kEscapeBytes = 6;  // \uD83D
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::optional<std::uint32_t> escape_at(std::string_view text, std::size_t at) {
  if (at + kEscapeBytes > text.size() || text[at] != '\\' || text[at + 1] != 'u') return {};
  std::uint32_t unit = 0;
  const std::string_view digits = text.substr(at + 2, 4);
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), unit, 16);
  if (error != std::errc() || end != digits.end()) return {};
  return unit;
}

bool is_high(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Whether the backslash at `at` is not itself escaped.
bool is_escape(std::string_view text, std::size_t at) {
  std::size_t before = 0;
  while (before < at && text[at - before - 1] == '\\') ++before;
  return before % 2 == 0;
}

}  // namespace

std::string_view take_halves(std::string_view event, std::string& storage,
                             SplitSurrogates& halves) {
  for (std::size_t at = event.find("\\u"); at != std::string_view::npos;
       at = event.find("\\u", at + 1)) {
    const auto unit = escape_at(event, at);
    if (!unit || !is_escape(event, at)) continue;
    const std::size_t behind = at + kEscapeBytes;
    if (is_high(*unit)) {
      if (behind < event.size() && event[behind] == '"' && halves.high == 0) {
        halves.high = *unit;
        storage = std::string(event.substr(0, at)).append(event.substr(behind));
        return storage;  // nothing of that string comes after it
      }
      // Its other half is here, and no beginning of a string.
      if (const auto next = escape_at(event, behind); next && is_low(*next)) at = behind;
    } else if (is_low(*unit) && halves.low == 0 && at > 1 && event[at - 1] == '"' &&
               event[at - 2] != '\\') {
      halves.low = *unit;
      const std::string rest = std::string(event.substr(0, at)).append(event.substr(behind));
      std::string deeper;
      storage = take_halves(rest, deeper, halves);
      return storage;
    }
  }
  return event;
}

void append_halves(std::string& out, std::uint32_t high, std::uint32_t low) {
  if (high == 0 || low == 0) {
    if (high != 0 || low != 0) out += kReplacement;
    return;
  }
  const std::uint32_t c = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  out += static_cast<char>(0xF0 | c >> 18);
  out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
  out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
  out += static_cast<char>(0x80 | (c & 0x3F));
}

}  // namespace weft::formats::anthropic
