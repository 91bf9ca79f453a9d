// Repacks what a source keeps of thoughts that are sealed: archived pieces whose dictionary has
// their text, and the saved state.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// The thoughts that are sealed, by the CID of their clear form.
using SealedForms = std::map<Cid, const thought::Thought*>;

// The pieces of `source` that lean on one of them, packed with the sealed form instead, and its
// state with the sealed names. Empty if nothing of it changes. `keyring` can sign. corrupt if a
// piece does not open: it cannot be restored as it is, and `weft repair` may mend it.
Result<std::optional<store::SealRequest::Source>> repack(const store::Store& store,
                                                         const crypto::Keyring& keyring,
                                                         const store::Source& source,
                                                         const SealedForms& sealed);

}  // namespace weft::ingest
