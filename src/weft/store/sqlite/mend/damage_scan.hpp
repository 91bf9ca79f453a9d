// Finds the damaged rows of a store, on several threads.
#pragma once

#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/sql/read/reader_pool.hpp"

namespace weft::store::sql {

// Rows that fail a check. Damage of one row may show in many: a wrong name in everything that
// refers to it.
struct Suspects {
  std::vector<Id> thoughts{};
  std::vector<Id> pages{};        // of connections
  std::vector<Id> checkpoints{};  // whose leaves do not lead to their root

  bool empty() const { return thoughts.empty() && pages.empty() && checkpoints.empty(); }
};

// Each list is sorted. `keyring` may be null.
Result<Suspects> find_damage(Readers& readers, const crypto::Keyring* keyring, unsigned threads);

}  // namespace weft::store::sql
