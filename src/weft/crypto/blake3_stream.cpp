#include "weft/crypto/blake3_stream.hpp"

#include <blake3.h>

namespace weft::crypto {

struct Blake3Stream::State {
  blake3_hasher hasher;
};

Blake3Stream::Blake3Stream() : state_(std::make_unique<State>()) {
  blake3_hasher_init(&state_->hasher);
}
Blake3Stream::~Blake3Stream() = default;
Blake3Stream::Blake3Stream(Blake3Stream&&) noexcept = default;
Blake3Stream& Blake3Stream::operator=(Blake3Stream&&) noexcept = default;

void Blake3Stream::add(std::string_view bytes) {
  blake3_hasher_update(&state_->hasher, bytes.data(), bytes.size());
}

Digest Blake3Stream::digest() const {
  Digest digest{};
  blake3_hasher_finalize(&state_->hasher, digest.data(), digest.size());
  return digest;
}

}  // namespace weft::crypto
