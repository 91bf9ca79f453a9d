#include "weft/store/tables/fingerprints.hpp"

namespace weft::store {
namespace {

constexpr std::string_view kContext = "weft 2026-11 secret fingerprint key v1";

const crypto::LayerKey* content_key(const crypto::Keyring* keyring) {
  return keyring == nullptr ? nullptr : keyring->layer(crypto::Layer::content);
}

crypto::Key key_for(const crypto::LayerKey* content) {
  if (content == nullptr) return crypto::derive_key(kContext, {});
  return crypto::derive_key(kContext, {content->root().view()});
}

}  // namespace

Fingerprints::Fingerprints(const crypto::Keyring* keyring) : key_(key_for(content_key(keyring))) {}

bool Fingerprints::has_key(const crypto::Keyring* keyring) {
  return content_key(keyring) != nullptr;
}

Fingerprint Fingerprints::of(std::string_view secret) const {
  return crypto::blake3_keyed(key_, {secret});
}

}  // namespace weft::store
