// Seals thoughts of the store after they were woven: what they say goes under the keys of both
// layers, as in seal mode `all`, and the clear form is removed. Conversations stay as they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// What sealing these thoughts means, in the present state of the store.
struct SealPlan {
  struct Item {
    thought::Thought clear;
    std::vector<Cid> conversations{};  // that hold it
  };
  struct Left {
    Cid cid;
    std::string reason;
  };
  std::vector<Item> items{};         // will be sealed; of one conversation's facts in stored order
  std::vector<Cid> already{};        // were sealed before, or never stood in the clear
  std::vector<Left> left{};          // cannot be sealed
  std::vector<Cid> conversations{};  // all that hold one of `items`, each once
};

// The thoughts to seal for these: each of them, and with facts of a conversation all later facts of
// it, which repeat the title. denied if `keyring` cannot sign. not_found if one is not stored and
// was not sealed.
Result<SealPlan> plan_seal(const store::Store& store, const crypto::Keyring& keyring,
                           const std::vector<Cid>& thoughts);

struct SealReport {
  SealPlan plan{};             // what was done
  std::vector<Cid> sealed{};   // the thoughts that stand for plan.items, in their order
  Cid tombstone{};             // only where something was sealed
  std::uint64_t repacked = 0;  // pieces of archived files
  // Nothing of the clear text is left in the store's files. False if another process was reading an
  // older state: the next ingest finishes the work.
  bool is_wiped = true;
};

// Seals what plan_seal() says. Sealing again is harmless. Fails like plan_seal(); conflict if other
// writers keep changing the same conversations, unavailable if the disk is full: it may be tried
// again, whether or not it was done. `index_sealed` is as it was at the ingest; otherwise the whole
// index is rebuilt.
Result<SealReport> seal_thoughts(store::Store& store, const crypto::Keyring& keyring,
                                 const std::vector<Cid>& thoughts, Millis now,
                                 bool index_sealed = true);

}  // namespace weft::ingest
