// Indexer: the keys with which a thought's text is made searchable.
#pragma once

#include "weft/crypto/keyring.hpp"

namespace weft::store {

// Without a keyring only clear text is indexed.
struct Indexer {
  const crypto::Keyring* keyring = nullptr;  // may be null; outlives the indexer
  bool index_sealed = true;                  // `index_sealed` of the configuration
};

}  // namespace weft::store
