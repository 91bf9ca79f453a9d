#include "weft/cli/app/store_owner.hpp"

#include <fmt/format.h>

#include "weft/base/try.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

// "Ada, key ed25519:4b26…, identity cid:blake3:9c41…", as far as the store knows.
std::string described(const store::Store& store, const Cid& owner) {
  std::string words;
  if (const Result<thought::Thought> identity = store.get_without_path(owner)) {
    if (const auto name = find_string(identity->content, "name"))
      words += std::string(*name) + ", ";
    if (const auto key = find_string(identity->content, "pubkey"))
      words += "key " + std::string(*key) + ", ";
  }
  return words + "identity " + owner.str();
}

// The message includes the remedy: JSON, hooks and agents show the message alone.
std::unexpected<Error> not_the_owner(const store::Store& store, const Home& home, const Cid& owner,
                                     const std::string& why) {
  return fail(ErrorCode::denied,
              fmt::format("nothing was written: the store {} belongs to {}, and {}; put the "
                          "owner's keyring back, or use another home: --home DIR",
                          home.store.shown(), described(store, owner), why));
}

Status check_identity(const store::Store& store, const Home& home, const crypto::Keyring& keyring,
                      const Cid& owner) {
  if (thought::owner_identity(keyring).cid == owner) return {};
  return not_the_owner(store, home, owner,
                       fmt::format("the keyring {} belongs to {}, key {}", home.keyring.string(),
                                   keyring.owner_name(), keyring.owner_key().str()));
}

}  // namespace

Status check_owner(const store::Store& store, const Home& home, const crypto::Keyring& keyring) {
  const Result<std::optional<Cid>> owner = store.owner();
  if (!owner) return fail(Error(owner.error()));
  return *owner ? check_identity(store, home, keyring, **owner) : Status();
}

Status check_owner_present(const store::Store& store, const Home& home) {
  WEFT_TRY_VALUE(auto owner, store.owner());
  if (!owner) return {};
  return not_the_owner(store, home, *owner, "there is no keyring at " + home.keyring.string());
}

Result<LoadedKeyring> load_owner_keyring(const store::Store* store, const Home& home,
                                         const Environment& environment, const FirstUse& first_use,
                                         Millis now, const AskPassphrase& ask) {
  Result<std::optional<Cid>> owner = std::nullopt;
  if (store != nullptr) owner = store->owner();
  if (!owner) return fail(std::move(owner).error());
  if (!*owner) return load_or_create_keyring(home, environment, first_use, now, ask);
  Result<crypto::Keyring> keyring = crypto::load_keyring(home.keyring, ask);
  if (!keyring && keyring.error().code == ErrorCode::not_found) {
    return not_the_owner(*store, home, **owner, "there is no keyring at " + home.keyring.string());
  }
  if (!keyring) return fail(std::move(keyring).error());
  // A keyring that cannot sign writes nothing, no matter who owns the store.
  if (keyring->can_sign()) {
    WEFT_TRY(check_identity(*store, home, *keyring, **owner));
  }
  return LoadedKeyring{.keyring = *std::move(keyring)};
}

}  // namespace weft::cli
