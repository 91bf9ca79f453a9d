// The bytes of a text as libsodium's functions take them.
#pragma once

#include <string>
#include <string_view>

namespace weft::crypto {

inline const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
inline unsigned char* octets(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

}  // namespace weft::crypto
