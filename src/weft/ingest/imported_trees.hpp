// ImportedTrees: the trees of imported checkpoints of version 2, as the thoughts at their leaves
// state them. Finds the trees of which not all leaves came.
//
//   ImportedTrees trees;
//   for (const Thought& thought : accepted) trees.add(thought);
//   trees.find_incomplete();
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/thought/checkpoint.hpp"

namespace weft::ingest {

// A conversation whose checkpoints cover more than was imported.
struct IncompleteConversation {
  Cid cid;
  std::uint64_t missing = 0;       // leaves
  std::vector<Cid> checkpoints{};  // that cover them
};

class ImportedTrees {
 public:
  // Precondition: its signature and the path of `covered` hold.
  void add(const thought::Thought& thought);

  // Of conversations that have turns here: others are only pointed at, and their trees are not
  // asked for. `is_whole` tells whether the store has all leaves of a checkpoint.
  template <class IsWhole>
  std::vector<IncompleteConversation> find_incomplete(const IsWhole& is_whole) const {
    std::map<Cid, IncompleteConversation> found;
    for (const auto& [cid, checkpoint] : checkpoints_) {
      if (!with_turns_.contains(checkpoint.conversation)) continue;
      const std::uint64_t missing = count_missing(cid, checkpoint);
      if (missing == 0 || is_whole(cid)) continue;
      IncompleteConversation& incomplete = found[checkpoint.conversation];
      incomplete.cid = checkpoint.conversation;
      incomplete.missing += missing;
      incomplete.checkpoints.push_back(cid);
    }
    std::vector<IncompleteConversation> all;
    for (auto& [cid, incomplete] : found) all.push_back(std::move(incomplete));
    return all;
  }

 private:
  struct Leaf {
    Cid cid;
    bool is_proven = false;  // by its own path
  };
  using Leaves = std::map<std::uint64_t, Leaf>;
  std::uint64_t count_missing(const Cid& cid, const thought::Checkpoint& checkpoint) const;

  std::unordered_map<Cid, Leaves> leaves_;  // by checkpoint
  std::map<Cid, thought::Checkpoint> checkpoints_;
  std::unordered_set<Cid> with_turns_;  // conversations
};

}  // namespace weft::ingest
