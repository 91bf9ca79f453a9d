// SHA-2, for formats of others that name it: SSH signatures, the folders of other tools, hashes of
// what went over a wire. weft's own names are BLAKE3 (blake3.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weft::crypto {

using Sha256 = std::array<std::uint8_t, 32>;
using Sha512 = std::array<std::uint8_t, 64>;

Sha256 sha256(std::string_view bytes);
Sha512 sha512(std::string_view bytes);

}  // namespace weft::crypto
