// Replacing: another chain of checkpoints takes the place of a conversation's own, in one
// transaction. Two machines with one keyring wove one session; the chain of this store is given up.
//
//   WEFT_TRY_VALUE(auto plan, store.forgetting().plan({conversation}, creator));
//   WEFT_TRY(replacing(store).replace({.plan = plan, .creator = creator, .thoughts = …}));
#pragma once

#include <map>

#include "weft/store/store.hpp"

namespace weft::store {

struct ReplaceRequest {
  ForgetPlan plan;  // of this one conversation
  Cid creator;      // of the conversation
  // What the conversation has from now on, which the caller has checked: its whole chain.
  ThoughtsToImport thoughts;
  Cid tip;  // the newest checkpoint among them
  // Turns of the chain that goes, and those that stand for them.
  std::map<Cid, Cid> turns{};
  Indexer indexer{};
};

class Replacing {
 public:
  virtual ~Replacing() = default;

  // Removes what the conversation has and writes `thoughts` instead, or does nothing. What is known
  // of its sources stays: places, marks, archived bytes; their saved states go, so that a file that
  // changes is read from its beginning. The checkpoints that went stay in the log, under no
  // conversation and without leaves. conflict if the store has changed since the plan was made.
  [[nodiscard]] virtual Status replace(const ReplaceRequest& request) = 0;
};

// Of every store. Lives as long as the store.
inline Replacing& replacing(Store& store) { return dynamic_cast<Replacing&>(store.forgetting()); }

}  // namespace weft::store
