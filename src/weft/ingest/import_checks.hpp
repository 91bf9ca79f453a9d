// Checks of an import that need a keyring, or what the store has forgotten.
#pragma once

#include <optional>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// corrupt if a layer of `thought` names a key of `keyring` and does not open with it: then it was
// made without the key. `keyring` may be null.
Status check_boxes(const thought::Thought& thought, const crypto::Keyring* keyring);

// Whether `owner` forgot this conversation in the store.
Result<bool> was_forgotten_by(const store::Store& store, const std::optional<Cid>& owner,
                              const Cid& conversation);

}  // namespace weft::ingest
