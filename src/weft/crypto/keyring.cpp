// Key derivation of the keyring. docs/formats/keyring.md lists every context string; they are
// part of the format, and changing one changes every key derived with it.
#include "weft/crypto/keyring.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::crypto {
namespace {

constexpr std::string_view kMetadataContext = "weft 2026-11 metadata layer key v1";
constexpr std::string_view kContentContext = "weft 2026-11 content layer key v1";
constexpr std::string_view kArchiveContext = "weft 2026-11 raw archive key v1";
constexpr std::string_view kSourceHashContext = "weft 2026-11 source hash key v1";
constexpr std::string_view kCustodialContext = "weft 2026-11 custodial identity key v1";

}  // namespace

std::string_view to_string(SealMode mode) {
  switch (mode) {
    case SealMode::thinking: return "thinking";
    case SealMode::all: return "all";
  }
  return "thinking";
}

Result<SealMode> parse_seal_mode(std::string_view text) {
  for (const SealMode mode : {SealMode::thinking, SealMode::all}) {
    if (text == to_string(mode)) return mode;
  }
  return fail(ErrorCode::invalid_input, "not a seal mode (want thinking or all)");
}

std::string_view to_string(KeyringKind kind) {
  switch (kind) {
    case KeyringKind::owner: return "owner";
    case KeyringKind::content: return "content";
    case KeyringKind::metadata: return "metadata";
  }
  return "metadata";
}

Status Keyring::check_owner_name(std::string_view name) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
  };
  std::string storage;
  std::size_t repairs = 0;
  repair_utf8(name, storage, repairs);
  if (name.empty() || name.size() > kMaxNameBytes || repairs != 0 ||
      std::ranges::any_of(name, is_control)) {
    return fail(ErrorCode::invalid_input,
                "not an owner's name (want 1 to 256 bytes of UTF-8, no control characters)");
  }
  return {};
}

Result<Keyring> Keyring::create(std::string name, Millis now, SealMode seal) {
  WEFT_TRY(check_owner_name(name));
  if (now < 0) {
    return fail(ErrorCode::invalid_input,
                "cannot create a keyring: the system clock is before 1970; set the clock");
  }
  Keyring keyring;
  keyring.owner_name_ = std::move(name);
  keyring.created_at_ = now;
  keyring.seal_ = seal;
  keyring.derive(Key::random(), Key::random());
  keyring.owner_key_ = keyring.owner_->public_key();
  return keyring;
}

void Keyring::derive(const Key& seed, const Key& secret) {
  owner_seed_ = seed;
  owner_.emplace(seed);
  secret_ = secret;
  source_hash_ = derive_key(kSourceHashContext, {secret.view()});
  metadata_.emplace(derive_key(kMetadataContext, {secret.view()}));
  content_.emplace(derive_key(kContentContext, {secret.view()}));
}

KeyringKind Keyring::kind() const {
  if (can_sign()) return KeyringKind::owner;
  return content_ ? KeyringKind::content : KeyringKind::metadata;
}

std::optional<LayerKey> Keyring::archive_key() const {
  if (!content_) return std::nullopt;
  return LayerKey(derive_key(kArchiveContext, {content_->root().view()}));
}

const LayerKey* Keyring::layer(Layer layer) const {
  const std::optional<LayerKey>& key = layer == Layer::metadata ? metadata_ : content_;
  return key ? &*key : nullptr;
}

SigningKey Keyring::custodial_key(std::string_view facts) const {
  constexpr std::string_view kZero("\0", 1);
  return SigningKey(derive_key(kCustodialContext, {secret_.value().view(), kZero, facts}));
}

}  // namespace weft::crypto
