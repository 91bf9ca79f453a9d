#include "weft/crypto/sha2.hpp"

#include <sodium.h>

namespace weft::crypto {
namespace {

const unsigned char* bytes_at(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  Sha256 hash;
  crypto_hash_sha256(hash.data(), bytes_at(bytes), bytes.size());
  return hash;
}

Sha512 sha512(std::string_view bytes) {
  Sha512 hash;
  crypto_hash_sha512(hash.data(), bytes_at(bytes), bytes.size());
  return hash;
}

}  // namespace weft::crypto
