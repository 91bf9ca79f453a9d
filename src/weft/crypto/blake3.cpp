#include "weft/crypto/blake3.hpp"

#include <blake3.h>
#include <sodium.h>

#include <array>

namespace weft::crypto {
namespace {

static_assert(BLAKE3_OUT_LEN == std::tuple_size_v<Digest> && BLAKE3_KEY_LEN == Key::kSize);

// The hasher remembers its key and its last block: wiped wherever either is secret.
struct Hasher : blake3_hasher {
  Hasher() {}  // an init function follows
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
};

struct SecretHasher : Hasher {
  ~SecretHasher() { sodium_memzero(static_cast<blake3_hasher*>(this), sizeof(blake3_hasher)); }
};

void finish(blake3_hasher& hasher, std::initializer_list<std::string_view> parts,
            std::array<std::uint8_t, 32>& out) {
  for (const std::string_view part : parts) {
    blake3_hasher_update(&hasher, part.data(), part.size());
  }
  blake3_hasher_finalize(&hasher, out.data(), out.size());
}

}  // namespace

Digest blake3(std::string_view bytes) { return blake3({bytes}); }

Digest blake3(std::initializer_list<std::string_view> parts) {
  Hasher hasher;
  blake3_hasher_init(&hasher);
  Digest digest;
  finish(hasher, parts, digest);
  return digest;
}

Digest blake3_keyed(const Key& key, std::initializer_list<std::string_view> parts) {
  SecretHasher hasher;
  blake3_hasher_init_keyed(&hasher, key.bytes().data());
  Digest digest;
  finish(hasher, parts, digest);
  return digest;
}

Key derive_key(std::string_view context, std::initializer_list<std::string_view> material) {
  SecretHasher hasher;
  blake3_hasher_init_derive_key_raw(&hasher, context.data(), context.size());
  std::array<std::uint8_t, Key::kSize> bytes;
  finish(hasher, material, bytes);
  Key key(bytes);
  sodium_memzero(bytes.data(), bytes.size());
  return key;
}

}  // namespace weft::crypto
