// Pull: takes what a remote has and a store has not, by the rules of an import (ingest/import.hpp):
// every signature is checked, structure counts only from the creator of its conversation, and
// what was forgotten here does not come back.
//
//   WEFT_TRY_VALUE(auto plan, plan_pull(store, keyring, *remote));
//   WEFT_TRY_VALUE(auto report, pull(store, keyring, *remote, plan, options));
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/remote/push.hpp"
#include "weft/remote/remote.hpp"

namespace weft::remote {

struct PullPlan {
  std::vector<Update> take{};  // `since`: the state of the conversation here
  // A statement of the remote that a conversation was forgotten, and that it is here.
  struct Forget {
    Named named;
    Cid tombstone, signer;
    bool counts = false;  // the conversation's creator signed it
  };
  std::vector<Forget> forget{};
  std::uint64_t equal = 0;           // or newer here
  std::uint64_t forgotten_here = 0;  // and not taken again
};

// Compares the states of all conversations there with those here.
Result<PullPlan> plan_pull(const store::Store& store, const crypto::Keyring* keyring,
                           const Remote& remote);

struct PullOptions {
  bool index_sealed = true;         // as for an import
  std::filesystem::path scratch{};  // a folder for files without names
  Millis now = 0;
  std::function<void(std::uint64_t done, std::uint64_t all)> progress{};
  std::function<bool()> is_off{};  // asked before each conversation: ends the work, as unavailable
};

struct PullReport {
  struct Done {
    Named named;
    std::uint64_t new_thoughts = 0;
  };
  std::vector<Done> taken{};
  std::vector<Refusal> refused{};
  // Two machines with one keyring wove the same session, each on its own: now one of the two chains
  // of checkpoints is given up.
  struct Joining {
    Named named;
    Cid kept, given_up;         // the newest checkpoints of both
    bool is_ours_kept = false;  // and not theirs
    std::uint64_t brought = 0;  // blocks that only the chain had which was given up
  };
  std::vector<Joining> joined{};
  // The same of somebody else's conversation: only its creator can say which chain stays.
  struct Diverged {
    Named named;
    Cid ours, theirs;  // checkpoints
  };
  std::vector<Diverged> diverged{};
  std::vector<PullPlan::Forget> forgotten{};
};

// Carries out the plan; each conversation is taken whole or not at all. Where the owner's other
// machine wove on, both chains are joined (join_chains.hpp). What is refused is reported
// with its file, and the rest is taken. Statements that count are carried out, if `keyring` can
// sign. Fails as a whole if the store cannot be written.
Result<PullReport> pull(store::Store& store, const crypto::Keyring* keyring, const Remote& remote,
                        const PullPlan& plan, const PullOptions& options);

}  // namespace weft::remote
