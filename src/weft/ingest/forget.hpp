// Forgets a conversation: removes it from the store and its files, together with everything that no
// other conversation holds. A signed tombstone stays, and the source is not ingested again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// The conversations that are forgotten with this one: it alone if a call spawned it; else also all
// that its calls spawned. It comes first.
Result<std::vector<store::ConversationRow>> forgotten_with(
    const store::Web& store, const store::ConversationRow& conversation);

struct ForgetReport {
  struct Conversation {
    store::ConversationRow row;
    std::uint64_t thoughts = 0;  // that were removed with it, connections included
  };
  std::vector<Conversation> conversations;
  Cid tombstone;
  std::uint64_t archives = 0;     // archived files that were removed
  std::uint64_t shared_kept = 0;  // thoughts that other conversations contain, too
  // Nothing of it is left in the store's files. False if another process was reading an older
  // state: the next ingest or forget finishes the work.
  bool is_wiped = false;
};

// denied if `keyring` cannot sign. not_found if the store has no such conversation. conflict if
// other writers keep changing the same conversations, unavailable if the disk is full: it may be
// tried again, whether or not it was forgotten. `index_sealed` is as it was at the ingest;
// otherwise the whole index is rebuilt.
Result<ForgetReport> forget(store::Store& store, const crypto::Keyring& keyring,
                            const store::ConversationRow& conversation, Millis now,
                            bool index_sealed = true);

// What forgetting this conversation takes in the present state of `store`: the plan, and the
// tombstone that the keyring's owner signs for it. For stores from which somebody else removes it:
// the tombstone is pushed there. Fails as forget().
Result<store::ForgetRequest> sign_forgetting(const store::Store& store,
                                             const crypto::Keyring& keyring,
                                             const store::ConversationRow& conversation,
                                             Millis now);

}  // namespace weft::ingest
