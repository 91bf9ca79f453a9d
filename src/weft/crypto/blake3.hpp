// BLAKE3, as the official implementation computes it: hashes, keyed hashes, derived keys.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "weft/base/cid.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::crypto {

Digest blake3(std::string_view bytes);
// Of the parts one after another, as if they were one text. Callers delimit.
Digest blake3(std::initializer_list<std::string_view> parts);
Digest blake3_keyed(const Key& key, std::initializer_list<std::string_view> parts);

// BLAKE3's derive_key mode. `context` is a constant of ours, one for each use;
// docs/formats/keyring.md lists them all.
Key derive_key(std::string_view context, std::initializer_list<std::string_view> material);

// The 32 bytes as text, to be hashed in turn. Points into `digest`.
inline std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace weft::crypto
