#include "weft/crypto/sodium.hpp"

#include <sodium.h>

#include <stdexcept>

namespace weft::crypto {

void require_sodium() {
  static const int ready = sodium_init();
  if (ready < 0) throw std::runtime_error("libsodium finds no source of random bytes");
}

}  // namespace weft::crypto
