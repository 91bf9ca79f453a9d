// Cid names a thought: the BLAKE3-256 hash of its canonical form.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft {

// A 32-byte hash: the value of CIDs, tree nodes and heads.
using Digest = std::array<std::uint8_t, 32>;

class Cid {
 public:
  static constexpr std::string_view kPrefix = "cid:blake3:";

  Cid() = default;  // all zero: no thought has this name
  explicit constexpr Cid(const Digest& digest) : digest_(digest) {}

  // Reads the form that str() writes. Anything else is invalid_input.
  static Result<Cid> parse(std::string_view text);

  // "cid:blake3:" and 64 lower-case hex digits. The hash is named so that a
  // later one can live beside it.
  std::string str() const;
  // The first `digits` hex digits, for people.
  std::string brief(std::size_t digits = 12) const;

  const Digest& digest() const { return digest_; }
  friend auto operator<=>(const Cid&, const Cid&) = default;

 private:
  Digest digest_{};
};

}  // namespace weft

// A CID is a hash already, so its first bytes are the hash value.
template <>
struct std::hash<weft::Cid> {
  std::size_t operator()(const weft::Cid& cid) const noexcept {
    std::size_t h;
    std::memcpy(&h, cid.digest().data(), sizeof h);
    return h;
  }
};
