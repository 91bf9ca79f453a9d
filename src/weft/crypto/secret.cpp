#include "weft/crypto/secret.hpp"

#include <sodium.h>

#include "weft/crypto/sodium.hpp"

namespace weft::crypto {

Key::~Key() { sodium_memzero(bytes_.data(), bytes_.size()); }

Key Key::random() {
  require_sodium();
  Key key;
  randombytes_buf(key.bytes_.data(), key.bytes_.size());
  return key;
}

bool operator==(const Key& a, const Key& b) {
  return sodium_memcmp(a.bytes_.data(), b.bytes_.data(), Key::kSize) == 0;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

void wipe(std::string& text) {
  text.resize(text.capacity());
  sodium_memzero(text.data(), text.size());
  text.clear();
}

}  // namespace weft::crypto
