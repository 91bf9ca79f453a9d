// The keyring: who the owner is, and what can be signed and opened with it.
//
// Three kinds of file share one shape (docs/formats/keyring.md): the owner's own,
// which can do everything; a content keyring, which opens all and signs nothing;
// a metadata keyring, which opens the metadata layer alone.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/crypto/ed25519.hpp"
#include "weft/crypto/layers.hpp"

namespace weft::crypto {

enum class SealMode { thinking, all };
std::string_view to_string(SealMode mode);  // "thinking", "all"
Result<SealMode> parse_seal_mode(std::string_view text);

// What an exported keyring may open.
enum class Reach { metadata, content };

class Keyring {
 public:
  // A new owner. The name and the moment are part of the owner's identity.
  static Keyring create(std::string name, Millis now, SealMode seal);

  const std::string& owner_name() const { return owner_name_; }
  const PublicKey& owner_key() const { return owner_key_; }
  // What belongs to no moment (identities, schemas…) is dated by this.
  Millis created_at() const { return created_at_; }
  SealMode seal_mode() const { return seal_; }

  // Empty where this keyring does not reach.
  const LayerKey* layer(Layer layer) const;

  // Only the owner's own keyring signs.
  bool can_sign() const { return owner_.has_value(); }
  // Precondition of the rest: can_sign().
  const SigningKey& owner_signing_key() const { return *owner_; }
  // The key of an identity that has none of its own. `facts` is the canonical JSON
  // of the identity's content without pubkey and provenance.
  SigningKey custodial_key(std::string_view facts) const;
  // Keys the hashes of what was read from sources.
  const Key& source_hash_key() const { return source_hash_; }

  // Without a passphrase here: exports are handed on, and are secrets as they are.
  Result<std::string> exported(Reach reach) const;

  // The file's text. With a passphrase the secrets are sealed under Argon2id.
  std::string to_text(const std::optional<std::string>& passphrase) const;
  // `ask` is called only if the text is under a passphrase; denied if it is wrong.
  static Result<Keyring> parse(std::string_view text,
                               const std::function<Result<std::string>()>& ask);

 private:
  Keyring() = default;
  void derive(const Key& secret);

  std::string owner_name_;
  PublicKey owner_key_;
  Millis created_at_ = 0;
  SealMode seal_ = SealMode::thinking;
  std::optional<SigningKey> owner_;
  std::optional<Key> owner_seed_;
  std::optional<Key> secret_;
  std::optional<LayerKey> metadata_, content_;
  Key source_hash_;
};

// Reads a keyring file. not_found if it is not there; denied if anyone but its
// owner can read it, naming the cure.
Result<Keyring> load_keyring(const std::filesystem::path& path,
                             const std::function<Result<std::string>()>& ask);

// Writes it, mode 0600, atomically. Never replaces an existing one: invalid_input.
Status save_new_keyring(const std::filesystem::path& path, const Keyring& keyring,
                        const std::optional<std::string>& passphrase);

}  // namespace weft::crypto
