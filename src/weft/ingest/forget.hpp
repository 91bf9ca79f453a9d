// ForgetPlan a conversation: it goes, with what no other holds, from the store and out of its
// file; a signed tombstone stays, and its source is not taken in again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// What goes when this conversation is forgotten: it alone if a call spawned it; else all that
// its calls spawned, too. It comes first.
Result<std::vector<store::ConversationRow>> forgotten_with(
    const store::Store& store, const store::ConversationRow& conversation);

struct ForgetReport {
  struct Conversation {
    store::ConversationRow row;
    std::uint64_t thoughts = 0;  // that went with it, connections included
  };
  std::vector<Conversation> conversations;
  Cid tombstone;
  std::uint64_t archives = 0;     // files of which nothing is kept any more
  std::uint64_t shared_kept = 0;  // that other conversations hold, too
  // Nothing of it is left in the store's files. If not, somebody was reading an older state:
  // the next ingest or forget sees to it.
  bool is_wiped = false;
};

// `keyring` can sign; else denied. not_found if it is no conversation of the store's.
// conflict if other writers keep changing the same conversations, unavailable if the disk is full:
// forgotten or not, it may be tried again. `index_sealed` as it was when it was taken in: else
// the whole index is made anew.
Result<ForgetReport> forget(store::Store& store, const crypto::Keyring& keyring,
                            const store::ConversationRow& conversation, Millis now,
                            bool index_sealed = true);

}  // namespace weft::ingest
