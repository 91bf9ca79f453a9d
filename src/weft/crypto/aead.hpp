// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), the only cipher in weft. Used by layers and
// locked keyrings alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/crypto/secret.hpp"

namespace weft::crypto {

inline constexpr std::size_t kNonceBytes = 24;
inline constexpr std::size_t kTagBytes = 16;
using Nonce = std::array<std::uint8_t, kNonceBytes>;

// Returns nonce ‖ ciphertext ‖ tag, in the memory of `plaintext` if it has room. The caller must
// not use a nonce for two plaintexts.
std::string aead_seal(const Key& key, const Nonce& nonce, std::string_view associated,
                      std::string plaintext);

// Returns the plaintext; empty if these bytes were not sealed under this key with `associated`.
std::optional<std::string> aead_open(const Key& key, std::string_view associated,
                                     std::string_view sealed);

}  // namespace weft::crypto
