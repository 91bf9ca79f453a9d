// From text to a keyring: docs/formats/keyring.md. Strict, as a version is exactly what
// that page says; no message repeats what the text says, as it may be a secret in the
// wrong place.
#include <sodium.h>

#include <array>
#include <functional>
#include <string>
#include <utility>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/crypto/keyring_lock.hpp"

namespace weft::crypto {
namespace {

// Version 2 adds other people.
constexpr std::int64_t kNewestVersion = 2;

std::unexpected<Error> malformed(std::string_view member, std::string_view wanted) {
  std::string message = "keyring: \"";
  message.append(member).append("\" should be ").append(wanted);
  return fail(ErrorCode::invalid_input, std::move(message));
}

std::unexpected<Error> surplus(std::string_view where) {
  std::string message = "keyring: ";
  message.append(where).append(" has members that its version does not know");
  return fail(ErrorCode::invalid_input, std::move(message));
}

void wipe_strings(json::value& value) {
  if (json::string* text = value.if_string()) {
    sodium_memzero(text->data(), text->size());
  } else if (json::object* object = value.if_object()) {
    for (json::key_value_pair& member : *object) wipe_strings(member.value());
  } else if (json::array* array = value.if_array()) {
    for (json::value& element : *array) wipe_strings(element);
  }
}

// A JSON object that may hold secrets, wiped when it dies.
class SecretObject {
 public:
  static Result<SecretObject> parse(std::string_view text) {
    Result<ParsedJson> parsed = parse_json(text);
    if (!parsed) return fail(std::move(parsed).error().within("keyring"));
    SecretObject object(std::move(parsed->value));
    if (parsed->inexact || !object.value_.is_object()) {
      return fail(ErrorCode::invalid_input, "keyring: not one JSON object with each key once");
    }
    return object;
  }
  SecretObject(SecretObject&&) = default;
  SecretObject& operator=(SecretObject&&) = delete;
  ~SecretObject() { wipe_strings(value_); }

  const json::object& get() const { return value_.get_object(); }

 private:
  explicit SecretObject(json::value value) : value_(std::move(value)) {}
  json::value value_;
};

Result<Key> read_key(const json::object& object, std::string_view member) {
  std::array<std::uint8_t, Key::kSize> bytes{};
  const std::optional<std::string_view> hex = find_string(object, member);
  const bool read = hex && parse_hex(*hex, bytes);
  Key key(bytes);
  sodium_memzero(bytes.data(), bytes.size());
  if (!read) return malformed(member, "64 lower-case hex digits");
  return key;
}

}  // namespace

// Fills a keyring member by member. What it leaves behind on failure is thrown away.
class KeyringReader {
 public:
  // The version first: another one may mean anything by the rest.
  Status read_version(const json::object& file) {
    const std::optional<std::int64_t> version = find_int(file, "weft_keyring");
    if (!version) return malformed("weft_keyring", "the version, a number");
    if (*version < 1 || *version > kNewestVersion) {
      return fail(ErrorCode::invalid_input,
                  "keyring: it is of version " + std::to_string(*version) +
                      ", and this weft reads versions 1 and 2; " +
                      (*version < 1 ? "it was not made by weft" : "install a newer weft"));
    }
    has_people_ = *version >= 2;
    return {};
  }

  Status read_kind(const json::object& file) {
    const std::string_view text = find_string(file, "kind").value_or("");
    for (const auto kind : {KeyringKind::owner, KeyringKind::content, KeyringKind::metadata}) {
      if (text != to_string(kind)) continue;
      kind_ = kind;
      return {};
    }
    return malformed("kind", "\"owner\", \"content\" or \"metadata\"");
  }

  Status read_owner(const json::object& file) {
    const json::object* owner = find_object(file, "owner");
    if (owner == nullptr) return malformed("owner", "an object");
    const std::optional<std::string_view> name = find_string(*owner, "name");
    if (!name || !Keyring::check_owner_name(*name)) {
      return malformed("name", "1 to 256 bytes without control characters");
    }
    const Result<PublicKey> pubkey = PublicKey::parse(find_string(*owner, "pubkey").value_or(""));
    if (!pubkey) return malformed("pubkey", "ed25519: and 64 lower-case hex digits");
    const std::optional<std::int64_t> created_at = find_int(*owner, "created_at");
    if (!created_at || *created_at < 0) return malformed("created_at", "milliseconds since 1970");
    if (owner->size() != 3) return surplus("\"owner\"");
    keyring_.owner_name_ = *name;
    keyring_.owner_key_ = *pubkey;
    keyring_.created_at_ = *created_at;
    return {};
  }

  Status read_seal(const json::object& file) {
    const Result<SealMode> seal = parse_seal_mode(find_string(file, "seal").value_or(""));
    if (!seal) return malformed("seal", "\"thinking\" or \"all\"");
    keyring_.seal_ = *seal;
    return {};
  }

  // After the owner.
  Status read_trusted(const json::object& file) {
    if (!has_people_) return {};
    return read_people(file, "trusted", [this](const json::object& entry) -> Status {
      WEFT_TRY_VALUE(auto person, read_person(entry));
      if (entry.size() != 2) return surplus("\"trusted\"");
      return add(TrustedOwner{.name = std::move(person.name), .key = person.key});
    });
  }

  // Of the file, with either secrets or a lock.
  std::size_t members() const { return has_people_ ? 6 : 5; }

  // After kind, owner and trusted.
  Status read_secrets(const json::object& secrets) {
    WEFT_TRY(kind_ == KeyringKind::owner ? read_owner_secrets(secrets) : read_layer_keys(secrets));
    if (!has_people_) return {};
    return read_people(secrets, "others", [this](const json::object& entry) -> Status {
      WEFT_TRY_VALUE(auto person, read_person(entry));
      WEFT_TRY_VALUE(const auto metadata, read_key(entry, "metadata_key"));
      OtherKeys keys{
          .name = std::move(person.name), .owner = person.key, .metadata = LayerKey(metadata)};
      if (entry.contains("content_key")) {
        WEFT_TRY_VALUE(const auto content, read_key(entry, "content_key"));
        keys.content.emplace(content);
      }
      if (entry.size() != (keys.content ? 4 : 3)) return surplus("\"others\"");
      return add(std::move(keys));
    });
  }

  const Keyring& keyring() const { return keyring_; }
  KeyringKind kind() const { return kind_; }

 private:
  Status read_owner_secrets(const json::object& secrets) {
    const Result<Key> seed = read_key(secrets, "owner_seed");
    if (!seed) return fail(seed.error());
    const Result<Key> secret = read_key(secrets, "secret");
    if (!secret) return fail(secret.error());
    if (secrets.size() != 2 + size_of_people()) return surplus("\"secrets\"");
    keyring_.derive(*seed, *secret);
    if (keyring_.owner_signing_key().public_key() != keyring_.owner_key_) {
      return fail(ErrorCode::corrupt, "keyring: its seed does not give its owner's public key");
    }
    return {};
  }

  Status read_layer_keys(const json::object& secrets) {
    const Result<Key> metadata = read_key(secrets, "metadata_key");
    if (!metadata) return fail(metadata.error());
    keyring_.metadata_.emplace(*metadata);
    if (kind_ == KeyringKind::content) {
      const Result<Key> content = read_key(secrets, "content_key");
      if (!content) return fail(content.error());
      keyring_.content_.emplace(*content);
    }
    const std::size_t keys = keyring_.content_ ? 2 : 1;
    if (secrets.size() != keys + size_of_people()) return surplus("\"secrets\"");
    return {};
  }
  std::size_t size_of_people() const { return has_people_ ? 1 : 0; }

  struct Person {
    std::string name;
    PublicKey key;
  };
  static Result<Person> read_person(const json::object& entry) {
    const std::optional<std::string_view> name = find_string(entry, "name");
    if (!name) return malformed("name", "a person's name");
    const Result<PublicKey> key = PublicKey::parse(find_string(entry, "pubkey").value_or(""));
    if (!key) return malformed("pubkey", "ed25519: and 64 lower-case hex digits");
    return Person{std::string(*name), *key};
  }

  // An array of objects, in the order of their names, each once.
  static Status read_people(const json::object& from, std::string_view member,
                            const std::function<Status(const json::object&)>& read) {
    const json::array* list = find_array(from, member);
    if (list == nullptr) return malformed(member, "an array");
    std::optional<std::string> before;
    for (const json::value& value : *list) {
      const json::object* entry = value.if_object();
      if (entry == nullptr) return malformed(member, "an array of objects");
      WEFT_TRY(read(*entry));
      const std::string name(find_string(*entry, "name").value_or(""));
      if (before && name <= *before) return malformed(member, "in the order of names, each once");
      before = name;
    }
    return {};
  }

  template <class Entry>
  Status add(Entry entry) {
    Result<Keyring> more = keyring_.with(std::move(entry));
    if (!more) return malformed("people", "named once each, by names of 1 to 64 bytes");
    keyring_ = *std::move(more);
    return {};
  }

  Keyring keyring_;
  KeyringKind kind_ = KeyringKind::metadata;
  bool has_people_ = false;
};

namespace {

Result<SecretObject> unlock(const json::object& file, const json::object& locked,
                            const std::function<Result<std::string>()>& ask) {
  Result<Lock> lock = Lock::parse(locked);
  if (!lock) return fail(std::move(lock).error().within("keyring"));
  if (!ask) return fail(ErrorCode::denied, "keyring: it is under a passphrase");
  WEFT_TRY_VALUE(auto passphrase, ask());
  const WipeAtEnd passphrase_wiped(passphrase);

  json::object clear = file;
  clear.erase("lock");
  Result<std::string> secrets = lock->open(passphrase, canonical_json(clear));
  if (!secrets) return fail(std::move(secrets).error().within("keyring"));
  const WipeAtEnd secrets_wiped(*secrets);
  return SecretObject::parse(*secrets);
}

}  // namespace

Result<Keyring> Keyring::parse(std::string_view text,
                               const std::function<Result<std::string>()>& ask) {
  if (text.size() > kMaxTextBytes) {
    return fail(ErrorCode::invalid_input, "keyring: longer than 128 KiB");
  }
  const Result<SecretObject> object = SecretObject::parse(text);
  if (!object) return fail(object.error());
  const json::object& file = object->get();

  KeyringReader reader;
  WEFT_TRY(reader.read_version(file));
  WEFT_TRY(reader.read_kind(file));
  WEFT_TRY(reader.read_owner(file));
  WEFT_TRY(reader.read_seal(file));
  WEFT_TRY(reader.read_trusted(file));
  if (file.size() > reader.members()) return surplus("the file");

  if (const json::object* secrets = find_object(file, "secrets")) {
    WEFT_TRY(reader.read_secrets(*secrets));
  } else if (const json::object* locked = find_object(file, "lock")) {
    const Result<SecretObject> opened = unlock(file, *locked, ask);
    if (!opened) return fail(opened.error());
    WEFT_TRY(reader.read_secrets(opened->get()));
  } else {
    return malformed("secrets", "an object, unless there is a \"lock\"");
  }
  return reader.keyring();
}

Result<Keyring::Facts> Keyring::read_facts(std::string_view text) {
  const Result<SecretObject> object = SecretObject::parse(text);
  if (!object) return fail(object.error());
  KeyringReader reader;
  WEFT_TRY(reader.read_version(object->get()));
  WEFT_TRY(reader.read_kind(object->get()));
  WEFT_TRY(reader.read_owner(object->get()));
  return Facts{.kind = reader.kind(), .owner_key = reader.keyring().owner_key()};
}

}  // namespace weft::crypto
