// Text is no key: 32 bytes become a secret only by an explicit conversion.
// error: could not convert|invalid initialization|no viable conversion|no known conversion|no
// matching function
#include <array>

#include "weft/crypto/ed25519.hpp"

weft::crypto::SigningKey grow(const std::array<std::uint8_t, 32>& bytes) {
#ifdef MISTAKE
  return weft::crypto::SigningKey(bytes);
#else
  return weft::crypto::SigningKey(weft::crypto::Key(bytes));
#endif
}
