#include "weft/crypto/aead.hpp"

#include <sodium.h>

#include <cstring>

#include "weft/crypto/octets.hpp"
#include "weft/crypto/sodium.hpp"

namespace weft::crypto {
namespace {

static_assert(kNonceBytes == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
static_assert(kTagBytes == crypto_aead_xchacha20poly1305_ietf_ABYTES);
static_assert(Key::kSize == crypto_aead_xchacha20poly1305_ietf_KEYBYTES);

}  // namespace

std::string aead_seal(const Key& key, const Nonce& nonce, std::string_view associated,
                      std::string plaintext) {
  require_sodium();
  std::string sealed = std::move(plaintext);
  const std::size_t size = sealed.size();
  sealed.reserve(kNonceBytes + size + kTagBytes);
  sealed.insert(0, reinterpret_cast<const char*>(nonce.data()), kNonceBytes);
  sealed.resize(kNonceBytes + size + kTagBytes);
  crypto_aead_xchacha20poly1305_ietf_encrypt(
      octets(sealed) + kNonceBytes, nullptr, octets(sealed) + kNonceBytes, size, octets(associated),
      associated.size(), nullptr, nonce.data(), key.bytes().data());
  return sealed;
}

std::optional<std::string> aead_open(const Key& key, std::string_view associated,
                                     std::string_view sealed) {
  require_sodium();
  if (sealed.size() < kNonceBytes + kTagBytes) return std::nullopt;
  const std::string_view nonce = sealed.substr(0, kNonceBytes);
  const std::string_view body = sealed.substr(kNonceBytes);
  std::string plaintext(body.size() - kTagBytes, '\0');
  const int refused = crypto_aead_xchacha20poly1305_ietf_decrypt(
      octets(plaintext), nullptr, nullptr, octets(body), body.size(), octets(associated),
      associated.size(), octets(nonce), key.bytes().data());
  if (refused != 0) return std::nullopt;
  return plaintext;
}

}  // namespace weft::crypto
