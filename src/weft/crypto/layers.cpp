#include "weft/crypto/layers.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "weft/base/hex.hpp"
#include "weft/crypto/aead.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::crypto {
namespace {

constexpr std::string_view kBoxPrefix = "xc20p:";
constexpr std::size_t kKeyIdBytes = 8;

// One zero byte between the two, which no JSON text holds: no other pair of
// associated data and plaintext feeds the hash the same bytes.
Nonce nonce_of(const Key& nonce_key, std::string_view associated, std::string_view plaintext) {
  constexpr std::string_view kZero("\0", 1);
  const Digest digest = blake3_keyed(nonce_key, {associated, kZero, plaintext});
  Nonce nonce;
  std::copy_n(digest.begin(), nonce.size(), nonce.begin());
  return nonce;
}

std::string id_of(const Key& root) {
  const Key id = derive_key("weft 2026-11 layer key id v1", {root.view()});
  return to_hex(std::span(id.bytes()).first<kKeyIdBytes>());
}

}  // namespace

std::string_view to_string(Layer layer) {
  switch (layer) {
    case Layer::metadata: return "metadata";
    case Layer::content: return "content";
  }
  return "content";
}

LayerKey::LayerKey(const Key& root)
    : root_(root),
      encryption_(derive_key("weft 2026-11 layer encryption key v1", {root.view()})),
      nonce_(derive_key("weft 2026-11 layer nonce key v1", {root.view()})),
      index_terms_(derive_key("weft 2026-11 layer index terms key v1", {root.view()})),
      id_(id_of(root)) {}

Box Box::seal(const LayerKey& key, std::string_view associated, std::string_view plaintext) {
  return seal_owned(key, associated, std::string(plaintext));
}

Box Box::seal_owned(const LayerKey& key, std::string_view associated, std::string plaintext) {
  const Nonce nonce = nonce_of(key.nonce_, associated, plaintext);
  return Box{.key_id = key.id_,
             .sealed = aead_seal(key.encryption_, nonce, associated, std::move(plaintext))};
}

Result<std::string> Box::open(const LayerKey& key, std::string_view associated) const {
  if (key_id != key.id_) {
    return fail(ErrorCode::denied,
                "opening a box: it is under key " + key_id + ", and this is key " + key.id_);
  }
  std::optional<std::string> plaintext = aead_open(key.encryption_, associated, sealed);
  if (!plaintext) {
    return fail(ErrorCode::corrupt,
                "cannot decrypt a sealed part: it was changed or moved; run weft verify");
  }
  // A holder of the key could seal under any nonce; then equal content would no
  // longer give equal boxes, and one thought could have two CIDs.
  const Nonce nonce = nonce_of(key.nonce_, associated, *plaintext);
  if (!std::equal(nonce.begin(), nonce.end(),
                  reinterpret_cast<const std::uint8_t*>(sealed.data()))) {
    wipe(*plaintext);
    return fail(ErrorCode::corrupt,
                "a sealed part was not encrypted by weft: its nonce does not match its content");
  }
  return *std::move(plaintext);
}

Result<Box> Box::parse(std::string_view text) {
  const auto refused = [] {
    return fail(ErrorCode::invalid_input,
                "not a box (want xc20p:, 16 lower-case hex digits, : and padded base64)");
  };
  constexpr std::size_t kHead = kBoxPrefix.size() + 2 * kKeyIdBytes + 1;
  if (text.size() < kHead || !text.starts_with(kBoxPrefix) || text[kHead - 1] != ':') {
    return refused();
  }
  Box box{.key_id = std::string(text.substr(kBoxPrefix.size(), 2 * kKeyIdBytes)), .sealed = {}};
  std::array<std::uint8_t, kKeyIdBytes> id;
  if (!parse_hex(box.key_id, id)) return refused();

  std::optional<std::string> sealed = parse_base64(text.substr(kHead));
  if (!sealed || sealed->size() < kNonceBytes + kTagBytes) return refused();
  box.sealed = *std::move(sealed);
  return box;
}

std::string Box::str() const {
  std::string text;
  text.reserve(kBoxPrefix.size() + key_id.size() + 1 + (sealed.size() + 2) / 3 * 4);
  append_to(text);
  return text;
}

void Box::append_to(std::string& out) const {
  out += kBoxPrefix;
  out += key_id;
  out += ':';
  append_base64(out, sealed);
}

}  // namespace weft::crypto
