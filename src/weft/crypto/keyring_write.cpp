// From a keyring to its text: docs/formats/keyring.md.
//
// Written by hand and not through a JSON value, into room reserved beforehand, so that
// no copy of a secret stays in memory that nobody wipes.
#include <string>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/crypto/keyring_lock.hpp"

namespace weft::crypto {
namespace {

// No text that we write is longer: a name takes 512 bytes at most, a lock 700.
constexpr std::size_t kRoomForText = 4096;

void append_key(std::string& out, std::string_view member, const Key& key) {
  out.append("\"").append(member).append("\":\"");
  append_hex(out, key.bytes());
  out.append("\"");
}

// The file in canonical JSON. With neither a lock nor secrets: the clear members,
// to which a lock binds what it seals.
std::string assemble(const Keyring& keyring, std::string_view lock, std::string_view secrets) {
  std::string out;
  out.reserve(kRoomForText);
  out.append("{\"kind\":\"").append(to_string(keyring.kind())).append("\"");
  if (!lock.empty()) out.append(",\"lock\":").append(lock);
  out.append(",\"owner\":{\"created_at\":").append(std::to_string(keyring.created_at()));
  out.append(",\"name\":");
  append_canonical_string(out, keyring.owner_name());
  out.append(",\"pubkey\":\"").append(keyring.owner_key().str());
  out.append("\"},\"seal\":\"").append(to_string(keyring.seal_mode())).append("\"");
  if (!secrets.empty()) out.append(",\"secrets\":").append(secrets);
  out.append(",\"weft_keyring\":1}");
  return out;
}

}  // namespace

std::string Keyring::secrets_text() const {
  std::string out;
  out.reserve(kRoomForText);
  out.append("{");
  switch (kind()) {
    case KeyringKind::owner:
      append_key(out, "owner_seed", owner_seed_.value());
      out.append(",");
      append_key(out, "secret", secret_.value());
      break;
    case KeyringKind::content:
      append_key(out, "content_key", content_.value().root());
      out.append(",");
      append_key(out, "metadata_key", metadata_.value().root());
      break;
    case KeyringKind::metadata: append_key(out, "metadata_key", metadata_.value().root()); break;
  }
  out.append("}");
  return out;
}

Result<std::string> Keyring::to_text(const std::optional<std::string>& passphrase) const {
  std::string secrets = secrets_text();
  const WipeAtEnd wiped(secrets);
  if (!passphrase) return assemble(*this, "", secrets).append("\n");
  const Result<Lock> lock = Lock::close(*passphrase, assemble(*this, "", ""), secrets);
  if (!lock) return fail(lock.error());
  return assemble(*this, lock->str(), "").append("\n");
}

Result<std::string> Keyring::exported(Reach reach) const {
  if (reach == Reach::content && !content_) {
    return fail(ErrorCode::denied,
                "this keyring does not have the content key; export --layer metadata instead");
  }
  Keyring keyring;
  keyring.owner_name_ = owner_name_;
  keyring.owner_key_ = owner_key_;
  keyring.created_at_ = created_at_;
  keyring.seal_ = seal_;
  keyring.metadata_ = metadata_;
  if (reach == Reach::content) keyring.content_ = content_;
  return keyring.to_text(std::nullopt);
}

}  // namespace weft::crypto
