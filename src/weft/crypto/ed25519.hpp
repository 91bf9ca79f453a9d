// Ed25519 (RFC 8032): keys that sign CIDs, and the verification of signatures.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::crypto {

using SignatureBytes = std::array<std::uint8_t, 64>;

class PublicKey {
 public:
  using Bytes = std::array<std::uint8_t, 32>;
  PublicKey() = default;
  explicit PublicKey(const Bytes& bytes) : bytes_(bytes) {}

  // "ed25519:" and 64 lower-case hex digits. Anything else is invalid_input.
  static Result<PublicKey> parse(std::string_view text);
  std::string str() const;

  // Strict: refuses non-canonical signatures and keys of small order.
  [[nodiscard]] bool verifies(const SignatureBytes& signature, std::string_view message) const;

  const Bytes& bytes() const { return bytes_; }
  friend auto operator<=>(const PublicKey&, const PublicKey&) = default;

 private:
  Bytes bytes_{};
};

// A key pair, derived from a 32-byte seed and wiped by its destructor. Signing is safe
// from several threads.
class SigningKey {
 public:
  explicit SigningKey(const Key& seed);
  SigningKey(const SigningKey&) = default;
  SigningKey& operator=(const SigningKey&) = default;
  ~SigningKey();

  const PublicKey& public_key() const { return public_; }
  SignatureBytes sign(std::string_view message) const;

 private:
  std::array<std::uint8_t, 64> secret_{};
  PublicKey public_;
};

}  // namespace weft::crypto
