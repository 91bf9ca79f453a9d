// The keyring: who the owner is, and what can be signed and opened with it.
//
// Three kinds of file share one shape (docs/formats/keyring.md): the owner's own,
// which can do everything; a content keyring, which opens all and signs nothing;
// a metadata keyring, which opens the metadata layer alone.
//
// A Keyring never changes once it is made: any thread may read it. It wipes its
// secrets when it dies.
#pragma once

#include <cstddef>
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

// The file's kinds, as above.
enum class KeyringKind { owner, content, metadata };
std::string_view to_string(KeyringKind kind);  // "owner", "content", "metadata"

// What an exported keyring may open.
enum class Reach { metadata, content };

class Keyring {
 public:
  static constexpr std::size_t kMaxNameBytes = 256;
  static constexpr std::size_t kMaxTextBytes = 64 << 10;

  // A new owner. The name and the moment are part of the owner's identity.
  // invalid_input if the name is empty, longer than kMaxNameBytes, not UTF-8 or has
  // control characters in it, or if `now` is before 1970.
  static Result<Keyring> create(std::string name, Millis now, SealMode seal);

  // The rule for names that create() keeps.
  static Status check_owner_name(std::string_view name);

  KeyringKind kind() const;
  const std::string& owner_name() const { return owner_name_; }
  const PublicKey& owner_key() const { return owner_key_; }
  // What belongs to no moment (identities, schemas…) is dated by this.
  Millis created_at() const { return created_at_; }
  SealMode seal_mode() const { return seal_; }

  // Null where this keyring does not reach. Points into this keyring.
  const LayerKey* layer(Layer layer) const;

  // What the raw archive and the states of sources are sealed with; empty where C is not held.
  std::optional<LayerKey> archive_key() const;

  // Only the owner's own keyring signs.
  bool can_sign() const { return owner_.has_value(); }
  // Precondition of the next three: can_sign(). They throw otherwise, since a key
  // made of nothing would look like any other.
  const SigningKey& owner_signing_key() const { return owner_.value(); }
  // The key of an identity that has none of its own. `facts` is the canonical JSON
  // of the identity's content without pubkey and provenance.
  SigningKey custodial_key(std::string_view facts) const;
  // Keys the hashes of what was read from sources.
  const Key& source_hash_key() const { return source_hash_.value(); }

  // Without a passphrase here: exports are handed on, and are secrets as they are.
  // denied if this keyring does not reach as far.
  Result<std::string> exported(Reach reach) const;

  // The file's text, of whichever kind. With a passphrase the secrets are sealed under
  // Argon2id: unavailable if its memory cannot be had, invalid_input if it is empty.
  // The caller wipes the text.
  Result<std::string> to_text(const std::optional<std::string>& passphrase) const;
  // `ask` is called only if the text is under a passphrase, and what it fails with is
  // passed on; denied if the passphrase is wrong, or needed and there is no `ask`.
  // invalid_input if the text is no keyring of a version that we know; corrupt if its
  // seed is not that of its public key. No message repeats what the text says.
  static Result<Keyring> parse(std::string_view text,
                               const std::function<Result<std::string>()>& ask);

 private:
  friend class KeyringReader;  // fills one from its text
  Keyring() = default;
  void derive(const Key& seed, const Key& secret);
  std::string secrets_text() const;

  std::string owner_name_;
  PublicKey owner_key_;
  Millis created_at_ = 0;
  SealMode seal_ = SealMode::thinking;
  std::optional<SigningKey> owner_;
  std::optional<Key> owner_seed_;
  std::optional<Key> secret_;
  std::optional<Key> source_hash_;
  std::optional<LayerKey> metadata_, content_;
};

// Reads a keyring file. not_found if it is not there; denied if it belongs to another
// user (root aside), or if group or others may do anything with it, naming the cure.
// A symbolic link is followed: what counts is the file that is read.
Result<Keyring> load_keyring(const std::filesystem::path& path,
                             const std::function<Result<std::string>()>& ask);

// Writes it, mode 0600, atomically, into a directory that is there. Never replaces an
// existing one: invalid_input, and then load_keyring reads the one that was first,
// whole. unavailable if the disk is full; nothing is left behind then.
Status save_new_keyring(const std::filesystem::path& path, const Keyring& keyring,
                        const std::optional<std::string>& passphrase);

}  // namespace weft::crypto
