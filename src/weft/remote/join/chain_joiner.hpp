// ChainJoiner: what a pull does where the remote has another chain of checkpoints of a conversation
// than the store. The owner's own are joined (join_chains.hpp); those of others are joined as far
// as their creator's statement in the remote's file says so.
#pragma once

#include <optional>

#include "weft/ingest/import.hpp"
#include "weft/remote/pull.hpp"

namespace weft::remote {

// Whether a file was taken whole, and not refused.
inline bool is_whole(const ingest::ImportReport& report) {
  return report.refused_count == 0 && report.incomplete.empty();
}

class ChainJoiner {
 public:
  // All outlive it. `keyring` may be null.
  ChainJoiner(store::Store& store, const crypto::Keyring* keyring, const Remote& remote,
              const PullOptions& options)
      : store_(store), keyring_(keyring), remote_(remote), options_(options) {}

  // Nothing is set if there was nothing to do.
  struct Outcome {
    std::optional<ingest::ImportReport> report{};  // of what was written, or refused
    std::optional<PullReport::Joining> joined{};
    std::optional<PullReport::Diverged> diverged{};  // nothing was written
  };
  // conflict if another process changed the conversation meanwhile. corrupt, invalid_input if the
  // remote's file cannot be used.
  Result<Outcome> join(const Tip& theirs);

 private:
  Result<Outcome> follow(const Tip& ours, const Tip& theirs, const ingest::ThoughtsFile& file);
  Result<Outcome> join_both(const store::Web& web, const Tip& ours, const Tip& theirs,
                            const ingest::ThoughtsFile& file);
  bool is_own(const Cid& creator) const;
  Named named(const Cid& conversation) const;

  store::Store& store_;
  const crypto::Keyring* keyring_;
  const Remote& remote_;
  const PullOptions& options_;
};

}  // namespace weft::remote
