// Fingerprints: names of secrets that say nothing about them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "weft/crypto/blake3.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::store {

using Fingerprint = std::array<std::uint8_t, 32>;

class Fingerprints {
 public:
  // Under a key of the content layer. Without that key (`keyring` may be null) they are those of
  // nobody: they name a value only within one answer, and are not stored.
  explicit Fingerprints(const crypto::Keyring* keyring);
  static bool has_key(const crypto::Keyring* keyring);

  // Equal values have equal fingerprints; without the key nobody can test a guess.
  Fingerprint of(std::string_view secret) const;

 private:
  crypto::Key key_;
};

}  // namespace weft::store
