// Keyring names the owner and holds the keys that sign thoughts and open layers.
//
// Three kinds of file share one shape (docs/formats/keyring.md): the owner's own,
// which can do everything; a content keyring, which opens all and signs nothing;
// a metadata keyring, which opens the metadata layer alone.
//
// Beside its owner's keys, a keyring may hold reading keys of others and the owners whom its
// owner trusts (people.hpp). Everything is sealed and signed with the owner's keys alone.
//
// A Keyring is immutable: any thread may read it. Its destructor wipes its
// secrets.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/crypto/ed25519.hpp"
#include "weft/crypto/layers.hpp"
#include "weft/crypto/people.hpp"

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
  static constexpr std::size_t kMaxTextBytes = 128 << 10;

  // A new owner. The name and the moment are part of the owner's identity.
  // invalid_input if the name is empty, longer than kMaxNameBytes, not UTF-8 or has
  // control characters in it, or if `now` is before 1970.
  static Result<Keyring> create(std::string name, Millis now, SealMode seal);

  // The rule for names that create() applies.
  static Status check_owner_name(std::string_view name);

  KeyringKind kind() const;
  const std::string& owner_name() const { return owner_name_; }
  const PublicKey& owner_key() const { return owner_key_; }
  // The time of thoughts that belong to no moment (identities, schemas…).
  Millis created_at() const { return created_at_; }
  SealMode seal_mode() const { return seal_; }

  // The owner's key of a layer; null if this keyring does not have it. Points into this keyring,
  // as the next two do.
  const LayerKey* layer(Layer layer) const;
  // The key of that id, the owner's or another's; null if there is none.
  const LayerKey* find_key(Layer layer, std::string_view id) const;
  // All keys of a layer, the owner's first.
  std::vector<const LayerKey*> keys_of(Layer layer) const;

  // The key of the raw archive and of the states of sources; empty if this keyring has no C.
  std::optional<LayerKey> archive_key() const;

  // True for the owner's own keyring alone.
  bool can_sign() const { return owner_.has_value(); }
  // Precondition of the next three: can_sign(). They throw otherwise, since a key
  // made of nothing would look like any other.
  const SigningKey& owner_signing_key() const { return owner_.value(); }
  // The custodial key of an identity. `facts` is the canonical JSON
  // of the identity's content without pubkey and provenance.
  SigningKey custodial_key(std::string_view facts) const;
  // The key of hashes over what was read from sources.
  const Key& source_hash_key() const { return source_hash_.value(); }

  // --- other people, each list sorted by name ---------------------------------------------------
  std::span<const OtherKeys> others() const { return others_; }
  std::span<const TrustedOwner> trusted() const { return trusted_; }
  // Whether the owner trusts what is signed with this key.
  bool trusts(const PublicKey& key) const;

  // This keyring with one entry more. A name stands for one public key in both lists. An entry of
  // that name and key is replaced. invalid_input if the name is no name, the key is the owner's or
  // has another name here, the name is another key's, or the list is full.
  Result<Keyring> with(OtherKeys keys) const;
  Result<Keyring> with(TrustedOwner owner) const;
  // Without what either list has of that name. not_found if neither has it.
  Result<Keyring> without(std::string_view name) const;
  // What an exported keyring lets others read, under a name. denied if it is an owner's keyring:
  // that can sign, and is nobody else's to hold.
  static Result<OtherKeys> to_other_keys(const Keyring& exported, std::string name);

  // The text of an exported keyring, without a passphrase: the export itself is the secret. It
  // holds the owner's keys alone.
  // denied if this keyring does not open that layer.
  Result<std::string> exported(Reach reach) const;

  // The file's text, of any kind: of version 1 if it names nobody else, and of version 2
  // otherwise. With a passphrase the secrets are sealed under
  // Argon2id: unavailable if its memory cannot be allocated, invalid_input if it is empty.
  // The caller wipes the text.
  Result<std::string> to_text(const std::optional<std::string>& passphrase) const;
  // `ask` is called only if the text is under a passphrase, and what it fails with is
  // passed on; denied if the passphrase is wrong, or needed and there is no `ask`.
  // invalid_input if the text is not a keyring of a known version; corrupt if its
  // seed does not give its public key. No message quotes the text.
  static Result<Keyring> parse(std::string_view text,
                               const std::function<Result<std::string>()>& ask);
  // What stands clear in a file under a passphrase, too.
  struct Facts {
    KeyringKind kind;
    PublicKey owner_key;
  };
  static Result<Facts> read_facts(std::string_view text);

 private:
  friend class KeyringReader;  // fills one from its text
  Keyring() = default;
  void derive(const Key& seed, const Key& secret);
  std::string secrets_text() const;
  Status check_person(std::string_view name, const PublicKey& key) const;

  std::string owner_name_;
  PublicKey owner_key_;
  Millis created_at_ = 0;
  SealMode seal_ = SealMode::thinking;
  std::optional<SigningKey> owner_;
  std::optional<Key> owner_seed_;
  std::optional<Key> secret_;
  std::optional<Key> source_hash_;
  std::optional<LayerKey> metadata_, content_;
  std::vector<OtherKeys> others_;
  std::vector<TrustedOwner> trusted_;
};

// Reads a keyring file. not_found if it is missing; denied, with what to do, if it belongs to
// another user (except root) or if group or others have any permission. A symbolic link is
// followed; the check is made on the file that is read.
Result<Keyring> load_keyring(const std::filesystem::path& path,
                             const std::function<Result<std::string>()>& ask);

// Writes the file atomically, mode 0600, into an existing directory. Never replaces a file:
// invalid_input if one exists, and load_keyring then reads that one, whole. unavailable if the
// disk is full; no partial file remains.
Status save_new_keyring(const std::filesystem::path& path, const Keyring& keyring,
                        const std::optional<std::string>& passphrase);

// Writes a keyring of the same owner and kind in the place of an existing one, with other people in
// it or under another passphrase or none. The new text is parsed before it replaces the old file,
// in one step: a process that is killed leaves one of the two, whole. A symbolic link stays and
// leads to the new file. invalid_input if the file at `path` is another owner's or of another kind;
// the other errors are those of load_keyring and save_new_keyring.
Status replace_keyring(const std::filesystem::path& path, const Keyring& keyring,
                       const std::optional<std::string>& passphrase);

}  // namespace weft::crypto
