// ImportRules: which well signed structure of a file of thoughts may be imported.
//
// Two rules. Structure about a conversation is taken only from the conversation's creator
// (thought/structure.hpp). And the structure of a conversation must hold as a whole: the chain of
// its checkpoints continues what the store has, each tree has all its leaves, each head is the hash
// of the blocks placed. So no import makes `weft verify` report the store as bad.
//
//   ImportRules rules(store, is_owner);
//   for (const Thought& thought : structure) rules.learn(thought);
//   for (const Cover& cover : file) rules.learn_cover(…);
//   for (const Thought& thought : structure) …rules.check(thought)…   // refused one by one
//   WEFT_TRY(rules.check_chains());
//   for (const Thought& thought : file) …rules.find_broken(…)…
//
// Blocks need not be read. What it keeps is small: conversations, turns, checkpoints, and of each
// edge its leaf. For one thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/store/store.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/structure.hpp"

namespace weft::ingest {

class ImportRules {
 public:
  // Whether an identity is the owner of the store or of the keyring. What another conversation
  // shares with one of the owner's is signed there: without the rest of it, `weft verify` would
  // miss that.
  using IsOwner = std::function<bool(const Cid& identity)>;

  // Whether a thought of the file is a block: the store need not be asked what it is.
  using IsBlock = std::function<bool(const Cid& thought)>;

  // `store` outlives it. Of the conversation `replaced`, what the store has of it does not count:
  // the file stands in its place.
  ImportRules(const store::Store& store, IsOwner is_owner, IsBlock is_block,
              std::optional<Cid> replaced = {})
      : store_(store),
        is_owner_(std::move(is_owner)),
        is_block_(std::move(is_block)),
        replaced_(replaced) {}

  // First, every piece of structure that passed its own checks, in any order.
  void learn(const thought::Thought& thought);
  // And that a thought which passed is covered at a leaf of a checkpoint.
  void learn_cover(const Cid& checkpoint, std::uint64_t leaf) {
    trees_[checkpoint].leaves.insert(leaf);
  }

  // Then each of them again: why it is refused; empty if it is not.
  Result<std::string> check(const thought::Thought& thought);

  // Once all were checked.
  Status check_chains();
  // Why a checkpoint, or what is signed through it, is refused: the structure of its conversation
  // does not hold. Empty if it is not. `signer` is null for a thought that is signed alone.
  std::string find_broken(const Cid& thought, const Cid* signer) const;

 private:
  struct Signer {
    thought::Checkpoint content;
    Cid creator;
  };
  // Of the file: what is signed through a checkpoint.
  struct Tree {
    std::unordered_set<std::uint64_t> leaves{};
    std::vector<std::pair<std::uint64_t, Cid>> places{};  // leaf and block
  };
  // Where the chain of a conversation stands.
  struct ChainEnd {
    std::optional<Cid> checkpoint{};
    std::uint64_t blocks = 0;
    Digest head{};
  };

  Result<std::string> check_subject(const thought::Subject& subject, const Cid& creator);
  Result<std::string> check_block(const Cid& block, const Cid& creator) const;
  Result<std::string> check_container(const thought::Connection& edge) const;
  // A conversation or turn of the file, else any thought of the store; empty if it is in neither.
  Result<std::optional<thought::Thought>> find_head(const Cid& cid) const;
  void note_leaf(const thought::Thought& thought, const thought::TreeSignature& signature);
  // Whether the store has it as a leaf of another tree, which stays. Trees of version 2 share
  // leaves.
  Result<bool> is_signed_elsewhere(const thought::Thought& thought,
                                   const thought::TreeSignature& signature) const;

  Status check_chain(const Cid& conversation, const Cid& creator,
                     const std::vector<Cid>& checkpoints);
  Result<std::optional<ChainEnd>> find_end(const Cid& conversation) const;
  Result<bool> is_replaced(const Cid& checkpoint) const;
  // Why a checkpoint does not continue `end`; otherwise moves `end` to it.
  std::string extend(ChainEnd& end, const Cid& checkpoint);

  const store::Store& store_;
  IsOwner is_owner_;
  IsBlock is_block_;
  std::optional<Cid> replaced_;
  std::unordered_map<Cid, thought::Thought> heads_;    // conversations and turns, without the rest
  std::unordered_map<Cid, std::vector<Cid>> placers_;  // by block: who placed it
  std::unordered_set<Cid> with_turns_;                 // conversations
  std::unordered_map<Cid, Signer> signers_;            // checkpoints
  std::unordered_map<Cid, Tree> trees_;                // by checkpoint
  std::unordered_map<Cid, std::string> broken_;        // checkpoints, and why
};

}  // namespace weft::ingest
