#include "weft/crypto/ed25519.hpp"

#include <sodium.h>

#include "weft/base/hex.hpp"
#include "weft/crypto/octets.hpp"
#include "weft/crypto/sodium.hpp"

namespace weft::crypto {
namespace {

constexpr std::string_view kPrefix = "ed25519:";

}  // namespace

Result<PublicKey> PublicKey::parse(std::string_view text) {
  Bytes bytes;
  if (!text.starts_with(kPrefix) || !parse_hex(text.substr(kPrefix.size()), bytes)) {
    return fail(ErrorCode::invalid_input,
                "not a public key (want ed25519: and 64 lower-case hex digits)");
  }
  return PublicKey(bytes);
}

std::string PublicKey::str() const {
  std::string text(kPrefix);
  append_hex(text, bytes_);
  return text;
}

bool PublicKey::verifies(const SignatureBytes& signature, std::string_view message) const {
  require_sodium();
  return crypto_sign_verify_detached(signature.data(), octets(message), message.size(),
                                     bytes_.data()) == 0;
}

SigningKey::SigningKey(const Key& seed) {
  require_sodium();
  PublicKey::Bytes bytes;
  crypto_sign_seed_keypair(bytes.data(), secret_.data(), seed.bytes().data());
  public_ = PublicKey(bytes);
}

SigningKey::~SigningKey() { sodium_memzero(secret_.data(), secret_.size()); }

SignatureBytes SigningKey::sign(std::string_view message) const {
  SignatureBytes signature;
  crypto_sign_detached(signature.data(), nullptr, octets(message), message.size(), secret_.data());
  return signature;
}

}  // namespace weft::crypto
