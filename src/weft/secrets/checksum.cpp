#include "weft/secrets/checksum.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "weft/base/ascii.hpp"
#include "weft/base/json.hpp"
#include "weft/secrets/pattern.hpp"

namespace weft::secrets {
namespace {

constexpr std::string_view kBase62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

std::uint32_t crc32_of(std::string_view text) {
  constexpr std::uint32_t kReversedPolynomial = 0xEDB88320;
  std::uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kReversedPolynomial : 0);
  }
  return ~crc;
}

// Characters of base64url up to the first that is none.
std::string decoded_url(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

// A step of Bech32's checksum (BIP 173).
std::uint32_t bech32_step(std::uint32_t sum) {
  constexpr std::array<std::uint32_t, 5> kGenerator = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa,
                                                       0x3d4233dd, 0x2a1462b3};
  const std::uint32_t top = sum >> 25;
  sum = (sum & 0x1ffffff) << 5;
  for (std::size_t i = 0; i < kGenerator.size(); ++i) {
    if ((top >> i & 1) != 0) sum ^= kGenerator[i];
  }
  return sum;
}

}  // namespace

bool has_crc32(std::string_view token) {
  constexpr std::size_t kSum = 6;
  const std::size_t underscore = token.find('_');
  if (underscore == std::string_view::npos || token.size() < underscore + 1 + kSum) return false;
  const std::string_view random =
      token.substr(underscore + 1, token.size() - underscore - 1 - kSum);
  std::string sum(kSum, kBase62[0]);
  std::uint32_t left = crc32_of(random);
  for (auto digit = sum.rbegin(); digit != sum.rend(); ++digit, left /= 62)
    *digit = kBase62[left % 62];
  return token.ends_with(sum);
}

bool has_bech32(std::string_view token) {
  constexpr std::string_view kDigits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  const std::string lower = to_lower(token);
  const std::size_t one = lower.rfind('1');
  if (one == std::string::npos) return false;
  const std::string_view name = std::string_view(lower).substr(0, one);
  std::uint32_t sum = 1;
  for (const char c : name) sum = bech32_step(sum) ^ static_cast<std::uint32_t>(c >> 5);
  sum = bech32_step(sum);
  for (const char c : name) sum = bech32_step(sum) ^ static_cast<std::uint32_t>(c & 31);
  for (const char c : std::string_view(lower).substr(one + 1)) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return false;
    sum = bech32_step(sum) ^ static_cast<std::uint32_t>(digit);
  }
  return sum == 1;
}

bool is_web_token(std::string_view token) {
  const std::size_t dot = token.find('.');
  const Result<ParsedJson> header = parse_json(decoded_url(token.substr(0, dot)));
  if (!header || !header->value.is_object()) return false;
  const std::string claims = decoded_url(token.substr(dot + 1));
  return header->value.get_object().contains("alg") && claims.find("John Doe") == std::string::npos;
}

bool is_base64(std::string_view text) {
  std::size_t count = 0, padding = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (kWhiteSpace.find(c) != std::string_view::npos) continue;
    if (c == '\\' && i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == 'r')) {
      ++i;
      continue;
    }
    if (!is_in_class(c, 's')) return false;
    if (c != '=' && padding > 0) return false;
    padding += c == '=' ? 1 : 0;
    ++count;
  }
  return count % 4 == 0 && padding <= 2;
}

}  // namespace weft::secrets
