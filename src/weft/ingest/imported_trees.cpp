#include "weft/ingest/imported_trees.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "weft/thought/tree.hpp"

namespace weft::ingest {
namespace {

using store::Outline;
using store::Outlines;

// A thought at a leaf, as it states it.
struct Leaf {
  std::uint32_t checkpoint;  // number of its CID
  std::uint32_t index;
  std::uint32_t thought;
  bool is_proven;  // by its own path
};

// By checkpoint, then by index; at one index the proven ones first.
std::vector<Leaf> sorted_leaves(const Outlines& outlines) {
  std::vector<Leaf> leaves;
  for (std::uint32_t i = 0; i < outlines.size(); ++i) {
    const Outline& outline = outlines[i];
    if (outline.is_dropped) continue;
    const bool is_alone = outline.checkpoint == store::kNoNumber;
    if (!is_alone) leaves.push_back({outline.checkpoint, outline.leaf, i, true});
  }
  for (const store::Cover& cover : outlines.covers()) {
    if (outlines[cover.thought].is_dropped) continue;
    leaves.push_back({cover.checkpoint, cover.leaf, cover.thought, cover.has_path});
  }
  std::ranges::sort(leaves, {}, [](const Leaf& leaf) {
    return std::tuple(leaf.checkpoint, leaf.index, !leaf.is_proven);
  });
  const auto again = std::ranges::unique(
      leaves, {}, [](const Leaf& leaf) { return std::pair(leaf.checkpoint, leaf.index); });
  leaves.erase(again.begin(), again.end());
  return leaves;
}

// Leaves without a path are proven by the whole tree, or not at all.
std::uint64_t count_missing(const Outlines& outlines, const thought::Checkpoint& checkpoint,
                            std::span<const Leaf> leaves) {
  const bool are_all_here =
      leaves.size() == checkpoint.leaves && leaves.back().index == checkpoint.leaves - 1;
  if (are_all_here) {
    std::vector<Cid> cids;
    cids.reserve(leaves.size());
    for (const Leaf& leaf : leaves) cids.push_back(outlines.cid_of(leaf.thought));
    if (thought::Tree(cids).root() == checkpoint.root) return 0;
  }
  const auto proven = static_cast<std::uint64_t>(std::ranges::count_if(leaves, &Leaf::is_proven));
  const std::uint64_t here = are_all_here ? proven : leaves.size();
  return checkpoint.leaves > here ? checkpoint.leaves - here : 1;
}

}  // namespace

std::vector<IncompleteConversation> find_incomplete(
    const Outlines& outlines, const std::function<bool(const Cid& checkpoint)>& is_whole) {
  std::unordered_set<std::uint32_t> with_turns;
  for (std::uint32_t i = 0; i < outlines.size(); ++i) {
    const bool is_turn = outlines[i].kind == Outline::Kind::turn;
    if (is_turn && !outlines[i].is_dropped) with_turns.insert(outlines[i].conversation);
  }
  const std::vector<Leaf> leaves = sorted_leaves(outlines);
  std::map<Cid, IncompleteConversation> found;
  for (std::uint32_t i = 0; i < outlines.size(); ++i) {
    const Outline& outline = outlines[i];
    const thought::Checkpoint* checkpoint = outlines.find_checkpoint(i);
    if (checkpoint == nullptr || checkpoint->version < 2 || outline.is_dropped) continue;
    if (!with_turns.contains(outline.conversation)) continue;
    const auto here = std::ranges::equal_range(leaves, outline.cid, {}, &Leaf::checkpoint);
    const std::uint64_t missing =
        here.empty() ? checkpoint->leaves : count_missing(outlines, *checkpoint, here);
    const Cid& cid = outlines.cid_of(i);
    if (missing == 0 || is_whole(cid)) continue;
    IncompleteConversation& incomplete = found[checkpoint->conversation];
    incomplete.cid = checkpoint->conversation;
    incomplete.missing += missing;
    incomplete.checkpoints.push_back(cid);
  }
  std::vector<IncompleteConversation> all;
  for (auto& [cid, incomplete] : found) all.push_back(std::move(incomplete));
  return all;
}

}  // namespace weft::ingest
