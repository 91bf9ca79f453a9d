#include "weft/crypto/base64.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft::crypto {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Two digits for each 12 bits: half the look-ups.
constexpr auto kPairs = [] {
  std::array<std::array<char, 2>, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kDigits[i >> 6], kDigits[i & 63]};
  return pairs;
}();

constexpr std::uint8_t kNoDigit = 64;
constexpr auto kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

std::uint32_t octet(char c) { return static_cast<unsigned char>(c); }

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  const std::size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4);
  char* to = out.data() + start;
  while (bytes.size() >= 3) {
    const std::uint32_t group = octet(bytes[0]) << 16 | octet(bytes[1]) << 8 | octet(bytes[2]);
    std::memcpy(to, kPairs[group >> 12].data(), 2);
    std::memcpy(to + 2, kPairs[group & 0xfff].data(), 2);
    to += 4;
    bytes.remove_prefix(3);
  }
  if (bytes.empty()) return;
  const bool two = bytes.size() == 2;
  const std::uint32_t group = octet(bytes[0]) << 16 | (two ? octet(bytes[1]) << 8 : 0);
  std::memcpy(to, kPairs[group >> 12].data(), 2);
  to[2] = two ? kDigits[group >> 6 & 63] : '=';
  to[3] = '=';
}

std::optional<std::string> parse_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string bytes(text.size() / 4 * 3, '\0');
  char* to = bytes.data();
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const bool last = at + 4 == text.size();
    std::uint32_t group = 0;
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const bool pad = last && i >= 4 - padding;
      const std::uint32_t value = pad ? 0 : kValues[octet(text[at + i])];
      seen |= value;
      group = group << 6 | (value & 63);
    }
    if ((seen & kNoDigit) != 0) return std::nullopt;
    *to++ = static_cast<char>(group >> 16);
    *to++ = static_cast<char>(group >> 8 & 0xff);
    *to++ = static_cast<char>(group & 0xff);
  }
  // The bytes that padding stands for are cut off; they must have been zero.
  for (std::size_t i = 0; i < padding; ++i) {
    if (bytes.back() != '\0') return std::nullopt;
    bytes.pop_back();
  }
  return bytes;
}

}  // namespace weft::crypto
