// The keys that a search can use, and the sealed text that it cannot search with them.
#pragma once

#include "weft/crypto/keyring.hpp"
#include "weft/store/postings/documents.hpp"
#include "weft/store/postings/matching.hpp"

namespace weft::store::sql {

// The keys of the keyring, which may be null, that the index knows of; and its own in any case.
Result<Matching::Keys> keys_in(Postings& postings, const crypto::Keyring* keyring);

// Whether there is sealed text that was not searched for lack of a key, at hand or when it was
// indexed, and in how many thoughts. The rest of `out` stays as it is.
Status find_unsearched(Postings& postings, const Documents& documents,
                       const crypto::Keyring* keyring, Unsearched& out);

}  // namespace weft::store::sql
