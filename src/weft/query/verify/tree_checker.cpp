#include "weft/query/verify/tree_checker.hpp"

#include <algorithm>

#include "weft/base/parallel_for.hpp"
#include "weft/query/verify/given_up.hpp"
#include "weft/thought/tree.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

using thought::Checkpoint;
using thought::Connection;
using thought::Thought;
using thought::TreeSignature;

void TreeChecker::add_checkpoint(const Thought& thought) {
  const std::lock_guard lock(mutex_);
  checkpoints_.emplace(thought.cid, thought);
}

TreeChecker::Tree& TreeChecker::tree_of(const Cid& checkpoint) {
  const std::lock_guard lock(mutex_);
  return trees_[checkpoint];
}

void TreeChecker::load(Tree& tree, const Cid& checkpoint) const {
  if (std::exchange(tree.loaded, true)) return;
  if (Result<std::vector<Cid>> leaves = store_.audit().leaves(checkpoint)) {
    tree.leaves = *std::move(leaves);
  } else {
    findings_.unreadable(leaves.error());
  }
  if (const Result<Thought> thought = store_.get(checkpoint)) {
    tree.creator = thought->created_by;
    if (const Result<Checkpoint> content = to_checkpoint(*thought)) {
      tree.conversation = content->conversation;
    }
  } else {
    findings_.unreadable(thought.error());
  }
}

// That the tree's root is the one that the checkpoint signs is checked once for all of its leaves,
// in check_tree().
void TreeChecker::add_leaf(const Cid& cid, const Cid& created_by, const TreeSignature& signature,
                           const Connection* edge) {
  Tree& tree = tree_of(signature.checkpoint);
  const std::lock_guard lock(tree.mutex);
  load(tree, signature.checkpoint);
  if (!tree.creator) {
    findings_.missing(signature.checkpoint);
    return findings_.bad(cid, "the checkpoint that signs it is gone");
  }
  if (*tree.creator != created_by) {
    return findings_.bad(cid, "it is signed through a checkpoint of somebody else");
  }
  if (edge != nullptr && edge->relation == "contains" && edge->from != tree.conversation) {
    tree.places.emplace_back(signature.index, edge->to);
  }
  if (tree.leaves.empty()) {
    // Stored with its own path: an import.
    const Result<Thought> checkpoint = store_.get(signature.checkpoint);
    if (!checkpoint) return findings_.missing(signature.checkpoint);
    const Result<Thought> thought = store_.get(cid);
    if (!thought) return findings_.bad(cid, thought.error().message);
    const Status status = check_tree_signature(*thought, *checkpoint);
    if (!status) findings_.bad(cid, status.error().message);
    ++tree.seen;
    return;
  }
  if (signature.index >= tree.leaves.size() || tree.leaves[signature.index] != cid) {
    return findings_.bad(cid, "it is not at the stated leaf of its checkpoint's tree");
  }
  ++tree.seen;
}

// Trees are independent of each other, and so are chains.
void TreeChecker::check(unsigned threads) {
  findings_.end_round();
  std::vector<const Thought*> signers;
  signers.reserve(checkpoints_.size());
  if (Result<std::set<Cid>> given_up = find_given_up(store_, checkpoints_)) {
    given_up_ = *std::move(given_up);
  } else {
    findings_.unreadable(given_up.error());
  }
  for (const auto& [cid, thought] : checkpoints_) {
    if (!given_up_.contains(cid)) signers.push_back(&thought);
  }
  std::vector<std::optional<Checkpoint>> signed_by(signers.size());
  parallel_for(signers.size(), threads,
               [&](unsigned, std::size_t i) { signed_by[i] = check_tree(*signers[i]); });

  findings_.end_round();
  std::map<Cid, Chain> by_conversation;
  for (std::size_t i = 0; i < signers.size(); ++i) {
    if (signed_by[i]) {
      by_conversation[signed_by[i]->conversation].emplace(signers[i]->cid, *signed_by[i]);
    }
  }
  std::vector<const std::pair<const Cid, Chain>*> chains;
  for (const auto& chain : by_conversation) chains.push_back(&chain);
  parallel_for(chains.size(), threads,
               [&](unsigned, std::size_t i) { check_chain(chains[i]->first, chains[i]->second); });
}

bool TreeChecker::is_whole(const Cid& conversation, const Cid& creator) {
  if (!all_whole_) return whole_.contains(conversation);
  const std::lock_guard lock(judging_);
  const auto known = is_whole_known_.find(conversation);
  if (known != is_whole_known_.end()) return known->second;
  const auto turns =
      store_.neighbours_by(creator, conversation, "contains", store::Direction::from);
  const bool is_whole = store_.conversation(conversation).has_value() || !turns ||
                        !turns->empty() || is_owners(creator);
  return is_whole_known_.emplace(conversation, is_whole).first->second;
}

bool TreeChecker::is_owners(const Cid& identity) {
  if (!witnesses_.verdict_of(identity)) {
    const Result<Thought> thought = store_.get(identity);
    if (!thought || !thought::is_identity(*thought) || !witnesses_.add(*thought)) return false;
  }
  return witnesses_.verdict_of(identity) == thought::Verdict::valid;
}

std::optional<Checkpoint> TreeChecker::check_tree(const Thought& thought) {
  const Cid& cid = thought.cid;
  Result<Checkpoint> checkpoint = to_checkpoint(thought);
  if (!checkpoint) {
    findings_.bad(cid, checkpoint.error().message);
    return std::nullopt;
  }
  const std::optional<Cid> creator = creator_of(checkpoint->conversation);
  if (!creator && all_whole_) expect_elsewhere(*checkpoint, cid);
  // Anybody may sign checkpoints on any conversation; only its creator's form its chain.
  if (creator != thought.created_by) return std::nullopt;
  const bool whole = is_whole(checkpoint->conversation, thought.created_by);
  Tree& tree = tree_of(cid);
  const std::lock_guard lock(tree.mutex);
  load(tree, cid);
  // A tree that came whole stays whole, whatever it signs.
  if (!whole && tree.leaves.empty()) return std::nullopt;
  const std::optional<Checkpoint> in_chain = whole ? std::optional(*checkpoint) : std::nullopt;
  if (tree.leaves.empty()) {
    if (tree.seen < checkpoint->leaves) findings_.bad(cid, what_is_missing(*checkpoint, tree));
    return in_chain;
  }
  if (report_gone(*checkpoint, cid, tree)) return in_chain;
  if (tree.leaves.size() != checkpoint->leaves ||
      thought::Tree(tree.leaves).root() != checkpoint->root) {
    findings_.bad(cid, what_changed(tree));
  } else if (checkpoint->version == 1 && tree.seen < checkpoint->leaves) {
    findings_.bad(cid, what_is_missing(*checkpoint, tree));
  }
  return in_chain;
}

// Of a tree whose leaves are not stored, only those that it signs can be counted.
std::string TreeChecker::what_is_missing(const Checkpoint& checkpoint, const Tree& tree) {
  if (checkpoint.version > 1) {
    return "not all of the " + std::to_string(checkpoint.leaves) +
           " thoughts that it covers are here";
  }
  return std::to_string(checkpoint.leaves - tree.seen) +
         " of the thoughts that it signs are gone or changed";
}

// Most connections are named by their own columns: of one that is gone, only its leaf is left. A
// thought keeps its name, which a scan of the whole store reports by itself.
bool TreeChecker::report_gone(const Checkpoint& content, const Cid& checkpoint, const Tree& tree) {
  if (content.version == 1 && tree.seen == tree.leaves.size()) return false;
  const bool look_up = content.version == 1 || !all_whole_;
  std::optional<std::size_t> first;
  std::size_t gone = 0;
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    if (tree.leaves[i] == Cid()) {
      if (!first) first = i;
      ++gone;
    } else if (!look_up) {
      continue;
    } else if (const Result<bool> has = store_.has(tree.leaves[i]); !has) {
      findings_.bad(tree.leaves[i], has.error().message);
    } else if (!*has) {
      findings_.missing(tree.leaves[i]);
    }
  }
  if (!first) return false;
  const std::string where = "leaf " + std::to_string(*first) + " of its tree";
  findings_.bad(checkpoint,
                gone == 1 ? where + " is gone"
                          : where + " and " + std::to_string(gone - 1) + " more leaves are gone");
  return true;
}

// A connection whose columns were changed has another name, under which it is not found.
std::string TreeChecker::what_changed(const Tree& tree) const {
  std::string reason = "the leaves of its tree do not lead to its root";
  const auto changed = std::ranges::find_if(
      tree.leaves, [this](const Cid& leaf) { return !store_.has(leaf).value_or(true); });
  if (changed == tree.leaves.end()) return reason + ": another thought stands at one of them";
  return reason + ": leaf " + std::to_string(changed - tree.leaves.begin()) + " was changed";
}

// A conversation that was never stored may have signed something that is. One that signs nothing
// here any more, or not all of the known leaves, was stored.
void TreeChecker::expect_elsewhere(const Checkpoint& checkpoint, const Cid& cid) {
  Tree& tree = tree_of(cid);
  const std::lock_guard lock(tree.mutex);
  load(tree, cid);
  const bool has_leaves =
      checkpoint.version == 1 ? tree.seen < tree.leaves.size() : !tree.leaves.empty();
  if (tree.seen == 0 || has_leaves) findings_.missing(checkpoint.conversation);
}

std::optional<Cid> TreeChecker::creator_of(const Cid& cid) const {
  const Result<Thought> thought = store_.get(cid);
  if (!thought) findings_.unreadable(thought.error());
  return thought ? std::optional(thought->created_by) : std::nullopt;
}

void TreeChecker::check_chain(const Cid& conversation, const Chain& chain) {
  std::map<std::optional<Cid>, Cid> after;  // by previous
  for (const auto& [cid, checkpoint] : chain) {
    if (!after.emplace(checkpoint.previous, cid).second)
      findings_.bad(cid, "two checkpoints follow the same one");
    if (checkpoint.previous && !checkpoints_.contains(*checkpoint.previous))
      findings_.missing(*checkpoint.previous);
  }
  Digest head{};
  std::uint64_t blocks = 0;
  std::size_t visited = 0;
  std::optional<Cid> at;
  for (auto next = after.find(at); next != after.end(); next = after.find(at)) {
    at = next->second;
    ++visited;
    const Checkpoint& checkpoint = chain.at(*at);
    std::vector<std::pair<std::uint64_t, Cid>>& places = tree_of(*at).places;
    std::ranges::sort(places);
    for (const auto& [index, block] : places) {
      head = thought::next_head(head, block);
      ++blocks;
    }
    if (checkpoint.blocks != blocks || checkpoint.head != head) {
      findings_.bad(*at, "a block of its conversation was removed, moved or added");
      blocks = checkpoint.blocks;
      head = checkpoint.head;
    }
    if (visited > chain.size()) break;
  }
  if (visited != chain.size()) findings_.bad(conversation, "its chain of checkpoints is broken");
}

}  // namespace weft::query
