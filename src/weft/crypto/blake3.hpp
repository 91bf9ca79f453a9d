// BLAKE3 hashes, keyed hashes and derived keys, by the official implementation.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "weft/base/cid.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::crypto {

Digest blake3(std::string_view bytes);
// Hashes the concatenation of the parts. Callers add delimiters.
Digest blake3(std::initializer_list<std::string_view> parts);
Digest blake3_keyed(const Key& key, std::initializer_list<std::string_view> parts);

// BLAKE3's derive_key mode. `context` is a constant, one for each use;
// docs/formats/keyring.md lists them all.
Key derive_key(std::string_view context, std::initializer_list<std::string_view> material);

// The 32 bytes as text, as input of another hash. Points into `digest`.
inline std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace weft::crypto
