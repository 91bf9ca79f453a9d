// Mint: tokens that no service issued, for tests.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "weft/secrets/pattern.hpp"
#include "weft/secrets/placeholder.hpp"
#include "weft/secrets/shapes.hpp"

namespace weft::secrets {

// Made by another implementation of Bech32.
inline constexpr std::string_view kAgeIdentity =
    "AGE-SECRET-KEY-1SKPA0R28H70CX0QD63TC2YGUGGQQDD22J5VDTVCNPH62FSY4NQ4YR8P2RE";

// Tokens drawn at random, with the marks and checksums of their services.
class Mint {
 public:
  explicit Mint(unsigned seed) : random_(seed) {}

  std::string token(const Shape& shape) {
    std::string made = expand(shape.before) + expand(shape.pattern);
    if (shape.check == nullptr) return made;
    if (shape.pattern.starts_with("AGE")) return std::string(kAgeIdentity);
    if (shape.has_checksum) return with_crc(made);
    if (shape.pattern.starts_with("sk-ant")) return made.replace(made.size() - 2, 2, "AA");
    if (shape.pattern.starts_with("eyJ")) {
      return "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI3NDE5Iiwi" + drawn('u', 40) + "." + drawn('u', 86);
    }
    return made.replace(made.size() / 2, 8, "T3BlbkFJ");
  }

  std::string drawn(char name, std::size_t count) {
    std::string characters;
    for (int c = 33; c < 127; ++c) {
      if (is_in_class(static_cast<char>(c), name) && c != '=') characters += static_cast<char>(c);
    }
    std::string out;
    do {
      out.clear();
      for (std::size_t i = 0; i < count; ++i) out += characters[random_() % characters.size()];
    } while (count > 15 && is_placeholder(out));
    return out;
  }

 private:
  std::string expand(std::string_view pattern) {
    std::string out;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
      if (pattern[at] != '[') {
        out += pattern[at];
        continue;
      }
      const std::size_t end = pattern.find(']', at);
      const std::size_t count = std::stoul(std::string(pattern.substr(at + 2, end - at - 2)));
      out += drawn(pattern[at + 1], count);
      at = end;
    }
    return out;
  }
  std::string with_crc(std::string token) {
    constexpr std::string_view kDigits =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const std::size_t first = token.find('_') + 1;
    std::uint32_t crc = 0xffffffff;
    for (std::size_t i = first; i < token.size() - 6; ++i) {
      crc ^= static_cast<unsigned char>(token[i]);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320 & (0 - (crc & 1)));
    }
    crc = ~crc;
    for (std::size_t i = token.size(); i-- > token.size() - 6; crc /= 62)
      token[i] = kDigits[crc % 62];
    return token;
  }

  std::mt19937 random_;
};

}  // namespace weft::secrets
