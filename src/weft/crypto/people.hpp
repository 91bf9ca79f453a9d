// Other people in a keyring: those whose sealed layers it opens, and those whose word counts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "weft/crypto/ed25519.hpp"
#include "weft/crypto/layers.hpp"

namespace weft::crypto {

// Somebody's reading keys, from a keyring that they exported.
struct OtherKeys {
  std::string name;  // as this keyring's owner calls them
  PublicKey owner;
  LayerKey metadata;
  std::optional<LayerKey> content{};  // empty if they gave only their metadata key
};

// Somebody whose attestations this keyring's owner believes.
struct TrustedOwner {
  std::string name;
  PublicKey key;
};

inline constexpr std::size_t kMaxPersonNameBytes = 64;
// In each list. A search looks each word up under every key.
inline constexpr std::size_t kMaxPeople = 64;

}  // namespace weft::crypto
