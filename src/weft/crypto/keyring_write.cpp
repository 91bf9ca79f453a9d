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

// No text that we write is longer: an owner's name takes 512 bytes at most and a lock 700 beside
// what it seals, in hex; another person takes 128 for the name, 90 for the public key, 200 for
// the keys.
std::size_t room_for(const Keyring& keyring) {
  return 4096 + 2 * 512 * (keyring.others().size() + keyring.trusted().size());
}

void append_key(std::string& out, std::string_view member, const Key& key) {
  out.append("\"").append(member).append("\":\"");
  append_hex(out, key.bytes());
  out.append("\"");
}

void append_person(std::string& out, std::string_view name, const PublicKey& key) {
  out.append("\"name\":");
  append_canonical_string(out, name);
  out.append(",\"pubkey\":\"").append(key.str()).append("\"}");
}

bool has_people(const Keyring& keyring) {
  return !keyring.others().empty() || !keyring.trusted().empty();
}

void append_trusted(std::string& out, const Keyring& keyring) {
  out.append(",\"trusted\":[");
  for (const TrustedOwner& owner : keyring.trusted()) {
    if (out.back() != '[') out.append(",");
    out.append("{");
    append_person(out, owner.name, owner.key);
  }
  out.append("]");
}

void append_others(std::string& out, const Keyring& keyring) {
  out.append("\"others\":[");
  for (const OtherKeys& other : keyring.others()) {
    if (out.back() != '[') out.append(",");
    out.append("{");
    if (other.content) {
      append_key(out, "content_key", other.content->root());
      out.append(",");
    }
    append_key(out, "metadata_key", other.metadata.root());
    out.append(",");
    append_person(out, other.name, other.owner);
  }
  out.append("]");
}

// The file in canonical JSON. With neither a lock nor secrets: the clear members,
// to which a lock binds what it seals.
std::string assemble(const Keyring& keyring, std::string_view lock, std::string_view secrets) {
  std::string out;
  out.reserve(room_for(keyring));
  out.append("{\"kind\":\"").append(to_string(keyring.kind())).append("\"");
  if (!lock.empty()) out.append(",\"lock\":").append(lock);
  out.append(",\"owner\":{\"created_at\":").append(std::to_string(keyring.created_at()));
  out.append(",\"name\":");
  append_canonical_string(out, keyring.owner_name());
  out.append(",\"pubkey\":\"").append(keyring.owner_key().str());
  out.append("\"},\"seal\":\"").append(to_string(keyring.seal_mode())).append("\"");
  if (!secrets.empty()) out.append(",\"secrets\":").append(secrets);
  if (has_people(keyring)) append_trusted(out, keyring);
  out.append(",\"weft_keyring\":").append(has_people(keyring) ? "2}" : "1}");
  return out;
}

}  // namespace

std::string Keyring::secrets_text() const {
  std::string out;
  out.reserve(room_for(*this));
  out.append("{");
  // The members in the order of their names.
  if (kind() == KeyringKind::content) {
    append_key(out, "content_key", content_.value().root());
    out.append(",");
  }
  if (kind() != KeyringKind::owner) append_key(out, "metadata_key", metadata_.value().root());
  if (kind() != KeyringKind::owner && has_people(*this)) out.append(",");
  if (has_people(*this)) append_others(out, *this);
  if (kind() == KeyringKind::owner) {
    if (has_people(*this)) out.append(",");
    append_key(out, "owner_seed", owner_seed_.value());
    out.append(",");
    append_key(out, "secret", secret_.value());
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
