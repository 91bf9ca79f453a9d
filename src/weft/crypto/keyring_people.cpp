// Other people in a keyring: finding their keys, adding and removing them.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::crypto {
namespace {

const LayerKey* key_in(const OtherKeys& keys, Layer layer) {
  if (layer == Layer::metadata) return &keys.metadata;
  return keys.content ? &*keys.content : nullptr;
}

std::unexpected<Error> refused(std::string_view name, std::string_view reason) {
  std::string message = "cannot add '";
  message.append(name).append("' to the keyring: ").append(reason);
  return fail(ErrorCode::invalid_input, std::move(message));
}

// In the order of names, in the place of an entry of the same name.
template <class Entry>
Status put(std::vector<Entry>& list, Entry entry) {
  const auto at = std::ranges::lower_bound(list, entry.name, {}, &Entry::name);
  if (at != list.end() && at->name == entry.name) {
    *at = std::move(entry);
    return {};
  }
  if (list.size() == kMaxPeople) {
    return refused(entry.name, "it holds " + std::to_string(kMaxPeople) +
                                   " people already; remove one with weft keys remove NAME");
  }
  list.insert(at, std::move(entry));
  return {};
}

}  // namespace

const LayerKey* Keyring::find_key(Layer layer, std::string_view id) const {
  const LayerKey* own = this->layer(layer);
  if (own != nullptr && own->id() == id) return own;
  for (const OtherKeys& other : others_) {
    const LayerKey* key = key_in(other, layer);
    if (key != nullptr && key->id() == id) return key;
  }
  return nullptr;
}

std::vector<const LayerKey*> Keyring::keys_of(Layer layer) const {
  std::vector<const LayerKey*> keys;
  if (const LayerKey* own = this->layer(layer)) keys.push_back(own);
  for (const OtherKeys& other : others_) {
    if (const LayerKey* key = key_in(other, layer)) keys.push_back(key);
  }
  return keys;
}

bool Keyring::trusts(const PublicKey& key) const {
  return std::ranges::find(trusted_, key, &TrustedOwner::key) != trusted_.end();
}

Status Keyring::check_person(std::string_view name, const PublicKey& key) const {
  if (!check_owner_name(name) || name.size() > kMaxPersonNameBytes) {
    return fail(ErrorCode::invalid_input,
                "not a name for a person in the keyring (want 1 to 64 bytes of UTF-8, no control "
                "characters)");
  }
  if (key == owner_key_) return refused(name, "the key is that of the keyring's own owner");
  const auto check = [&](std::string_view other_name, const PublicKey& other_key) -> Status {
    if ((other_name == name) == (other_key == key)) return {};
    if (other_name == name) {
      return refused(name,
                     "this name stands for another key; choose another name, or remove it "
                     "first with weft keys remove NAME");
    }
    return refused(name, "it holds this person already, as '" + std::string(other_name) + "'");
  };
  for (const OtherKeys& other : others_) WEFT_TRY(check(other.name, other.owner));
  for (const TrustedOwner& owner : trusted_) WEFT_TRY(check(owner.name, owner.key));
  return {};
}

Result<Keyring> Keyring::with(OtherKeys keys) const {
  WEFT_TRY(check_person(keys.name, keys.owner));
  Keyring more = *this;
  WEFT_TRY(put(more.others_, std::move(keys)));
  return more;
}

Result<Keyring> Keyring::with(TrustedOwner owner) const {
  WEFT_TRY(check_person(owner.name, owner.key));
  Keyring more = *this;
  WEFT_TRY(put(more.trusted_, std::move(owner)));
  return more;
}

Result<Keyring> Keyring::without(std::string_view name) const {
  Keyring less = *this;
  const auto keys = std::erase_if(less.others_, [&](const auto& one) { return one.name == name; });
  const auto trust =
      std::erase_if(less.trusted_, [&](const auto& one) { return one.name == name; });
  if (keys + trust > 0) return less;
  return fail(ErrorCode::not_found,
              "the keyring holds nobody of the name '" + std::string(name) + "'");
}

Result<OtherKeys> Keyring::to_other_keys(const Keyring& exported, std::string name) {
  if (exported.can_sign()) {
    return fail(ErrorCode::denied,
                "this is an owner's keyring, which can sign as its owner; ask them for one made by "
                "weft keys export");
  }
  return OtherKeys{.name = std::move(name),
                   .owner = exported.owner_key_,
                   .metadata = exported.metadata_.value(),
                   .content = exported.content_};
}

}  // namespace weft::crypto
