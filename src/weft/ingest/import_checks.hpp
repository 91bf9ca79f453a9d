// Checks of an import that need a keyring, or what the store has forgotten or sealed.
#pragma once

#include <optional>

#include "weft/crypto/keyring.hpp"
#include "weft/store/import/outlines.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// corrupt if a layer of `thought` names a key of `keyring` and does not open with it: then it was
// made without the key. `keyring` may be null.
Status check_boxes(const thought::Thought& thought, const crypto::Keyring* keyring);

// Whether the rules of structure (check/import_rules.hpp) may concern a thought of this kind.
bool may_be_structure(store::Outline::Kind kind);

// Whether `owner` forgot this conversation in the store.
Result<bool> was_forgotten_by(const store::Store& store, const std::optional<Cid>& owner,
                              const Cid& conversation);

// A conversation that the store's owner forgot is not imported again: invalid_input. The store
// checks this too, for what is left after the rules.
Status check_forgotten(const store::Store& store, const std::optional<Cid>& owner,
                       const store::Outlines& outlines);

// What the owner sealed in this store is not stored in the clear again: of such a thought only its
// leaves are kept.
Status keep_sealed(const store::Store& store, const std::optional<Cid>& owner,
                   store::Outlines& outlines);

}  // namespace weft::ingest
