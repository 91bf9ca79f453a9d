// Drops a key: removes everything that one identity signed, and the identities that it speaks for.
// For what a wrong keyring wove, and for a stranger's structure in the owner's conversations.
#pragma once

#include <optional>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

struct DropReport {
  store::DropPlan plan;
  std::optional<Cid> tombstone{};  // empty if no conversation went
};

// denied if `keyring` cannot sign, or if `identity` is its owner or the owner of the store.
// not_found if nothing is signed by it. conflict if other writers keep changing the store.
Result<DropReport> drop_key(store::Store& store, const crypto::Keyring& keyring,
                            const Cid& identity, Millis now, bool index_sealed = true);

// The same refusals, and what would be dropped.
Result<store::DropPlan> plan_drop(const store::Store& store, const crypto::Keyring& keyring,
                                  const Cid& identity);

// The identity with this key ("4b26…" or "ed25519:4b26…", 8 hex digits or more) or CID. not_found;
// invalid_input if several begin so.
Result<Cid> find_identity(const store::Store& store, const std::string& text);

}  // namespace weft::ingest
