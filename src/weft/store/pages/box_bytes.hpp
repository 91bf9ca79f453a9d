// A sealed box as bytes: 8 bytes of key id, then nonce ‖ ciphertext ‖ tag.
#pragma once

#include <string>
#include <string_view>

#include "weft/crypto/layers.hpp"

namespace weft::store {

// Precondition: the key id is 16 hex digits, as of every box that was sealed here.
std::string box_bytes(const crypto::Box& box);
// corrupt if it is too short.
Result<crypto::Box> to_box(std::string_view bytes);

}  // namespace weft::store
