// Checks the trees of a store: that each leads to the root that its checkpoint signs, that
// everything that it covers is there, that checkpoints form chains, and that no block of a
// conversation was removed, moved or added.
//
//   trees.add_checkpoint(thought); trees.add_leaf(…); // in any order, from any thread
//   trees.check(2); // once all were added
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/query/verify/findings.hpp"
#include "weft/store/store.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

class TreeChecker {
 public:
  // All outlive it. `keyring` may be null.
  TreeChecker(const store::Store& store, const crypto::Keyring* keyring, Findings& findings)
      : store_(store), findings_(findings), witnesses_(keyring) {}

  void add_checkpoint(const thought::Thought& thought);
  // A thought that is signed through a tree: it must be in the tree at its stated place, and be by
  // the creator of the checkpoint. `edge` is the thought itself, if it is a connection.
  void add_leaf(const Cid& cid, const Cid& created_by, const thought::TreeSignature& signature,
                const thought::Connection* edge);

  // Everything that is signed through the trees was added, so none of it may be missing: of this
  // conversation, or of all.
  void expect_whole(const Cid& conversation) { whole_.insert(conversation); }
  void expect_all() { all_whole_ = true; }

  void check(unsigned threads);
  // The checkpoints that were not checked, because they were given up (given_up.hpp).
  const std::set<Cid>& given_up() const { return given_up_; }

 private:
  using Chain = std::map<Cid, thought::Checkpoint>;

  // A tree, as its checkpoint and the thoughts signed through it describe it.
  struct Tree {
    std::mutex mutex{};
    bool loaded = false;
    std::optional<Cid> creator{}, conversation{};  // of the checkpoint; empty if it is gone
    std::vector<Cid> leaves{};                     // empty if leaves have their own paths
    std::uint64_t seen = 0;                        // leaves that it signs and that were added
    std::vector<std::pair<std::uint64_t, Cid>>
        places{};  // contains edges out of turns: leaf, block
  };

  Tree& tree_of(const Cid& checkpoint);
  void load(Tree& tree, const Cid& checkpoint) const;
  // Whether everything of a conversation must be there. One that is not in the list of
  // conversations, without turns, may be here only because it signs an edge that another one shares
  // with it; not if it is the owner's own.
  bool is_whole(const Cid& conversation, const Cid& creator);
  bool is_owners(const Cid& identity);
  // The checkpoint, if it is of its conversation's own chain.
  std::optional<thought::Checkpoint> check_tree(const thought::Thought& thought);
  // Missing leaves. True if some are missing whose names are unknown.
  bool report_gone(const thought::Checkpoint& content, const Cid& checkpoint, const Tree& tree);
  static std::string what_is_missing(const thought::Checkpoint& checkpoint, const Tree& tree);
  // Why the leaves do not lead to the root.
  std::string what_changed(const Tree& tree) const;
  void expect_elsewhere(const thought::Checkpoint& checkpoint, const Cid& cid);
  void check_chain(const Cid& conversation, const Chain& chain);
  std::optional<Cid> creator_of(const Cid& cid) const;

  const store::Store& store_;
  Findings& findings_;
  std::mutex mutex_;
  std::unordered_map<Cid, Tree> trees_;          // guarded by mutex_; each by its own
  std::map<Cid, thought::Thought> checkpoints_;  // guarded by mutex_ while they are added
  std::set<Cid> given_up_;
  std::set<Cid> whole_;
  bool all_whole_ = false;
  std::mutex judging_;
  thought::Witnesses witnesses_;        // guarded by judging_
  std::map<Cid, bool> is_whole_known_;  // by conversation; guarded by judging_
};

}  // namespace weft::query
