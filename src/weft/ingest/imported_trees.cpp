#include "weft/ingest/imported_trees.hpp"

#include <algorithm>

#include "weft/thought/tree.hpp"

namespace weft::ingest {

using thought::Checkpoint;
using thought::Thought;
using thought::TreeSignature;

void ImportedTrees::add(const Thought& thought) {
  const auto* signer = std::get_if<TreeSignature>(&thought.signature);
  if (signer != nullptr) {
    leaves_[signer->checkpoint].insert_or_assign(signer->index, Leaf{thought.cid, true});
  }
  for (const TreeSignature& leaf : thought.covered) {
    const bool is_proven = signer == nullptr && &leaf == &thought.covered.front();
    Leaves& leaves = leaves_[leaf.checkpoint];
    if (is_proven) leaves.insert_or_assign(leaf.index, Leaf{thought.cid, true});
    else leaves.try_emplace(leaf.index, Leaf{thought.cid, false});
  }
  if (thought::kind_of(thought.type) == "turn") {
    const Result<Cid> conversation =
        Cid::parse(find_string(thought.content, "conversation").value_or(""));
    if (conversation) with_turns_.insert(*conversation);
  }
  if (Result<Checkpoint> checkpoint = to_checkpoint(thought)) {
    if (checkpoint->version >= 2) checkpoints_.emplace(thought.cid, *std::move(checkpoint));
  }
}

// Leaves without a path are proven by the whole tree, or not at all.
std::uint64_t ImportedTrees::count_missing(const Cid& cid, const Checkpoint& checkpoint) const {
  const auto found = leaves_.find(cid);
  if (found == leaves_.end()) return checkpoint.leaves;
  const Leaves& leaves = found->second;
  if (leaves.size() == checkpoint.leaves && leaves.rbegin()->first == checkpoint.leaves - 1) {
    std::vector<Cid> cids;
    cids.reserve(leaves.size());
    for (const auto& [index, leaf] : leaves) cids.push_back(leaf.cid);
    if (thought::Tree(cids).root() == checkpoint.root) return 0;
  }
  const auto proven = static_cast<std::uint64_t>(
      std::ranges::count_if(leaves, [](const auto& leaf) { return leaf.second.is_proven; }));
  const bool are_all_here = leaves.size() == checkpoint.leaves;
  const std::uint64_t here = are_all_here ? proven : std::max<std::uint64_t>(proven, leaves.size());
  return checkpoint.leaves > here ? checkpoint.leaves - here : 1;
}

}  // namespace weft::ingest
