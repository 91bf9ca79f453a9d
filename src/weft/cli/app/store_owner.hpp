// Checks that only the owner of a store writes to it. Another keyring would weave all conversations
// a second time, and bring back what was forgotten.
#pragma once

#include "weft/cli/app/home.hpp"
#include "weft/store/store.hpp"

namespace weft::cli {

// denied if `keyring`, which can sign, is not that of the owner of the home's store.
Status check_owner(const store::Store& store, const Home& home, const crypto::Keyring& keyring);

// denied if the store has an owner; for a home without a keyring.
Status check_owner_present(const store::Store& store, const Home& home);

// The home's keyring, as load_or_create_keyring() returns it. Creates none if the store has an
// owner: denied if the keyring is missing, or somebody else's. `store` is null if there is none
// yet.
Result<LoadedKeyring> load_owner_keyring(const store::Store* store, const Home& home,
                                         const Environment& environment, const FirstUse& first_use,
                                         Millis now, const AskPassphrase& ask);

}  // namespace weft::cli
