#include "weft/weave/commit_unit.hpp"

#include <algorithm>

#include "weft/crypto/blake3.hpp"

namespace weft::weave {

PlaceKey leaf_key(const PlaceKey& place) {
  PlaceKey key;
  const auto rest = std::ranges::copy(kLeafTag, key.begin()).out;
  std::copy_n(place.begin(), key.end() - rest, rest);
  return key;
}

void sign(CommitUnit& unit) {
  for (std::size_t i = 0; i < unit.thoughts.size(); ++i) {
    if (unit.signers[i] == nullptr) continue;
    thought::Thought& thought = unit.thoughts[i];
    thought.signature = unit.signers[i]->sign(crypto::bytes_of(thought.cid.digest()));
  }
}

void cover_all(CommitUnit& unit) {
  std::vector<Cid> leaves;
  leaves.reserve(unit.thoughts.size() + unit.connections.size());
  for (const thought::Thought& thought : unit.thoughts) {
    if (!may_be_tree_signed(thought)) leaves.push_back(thought.cid);
  }
  for (const thought::Connection& connection : unit.connections) {
    if (!is_structure(connection)) leaves.push_back(cid_of(connection));
  }
  leaves.insert(leaves.end(), unit.leaves.begin(), unit.leaves.end());
  unit.leaves = std::move(leaves);
}

// Structure stands in the leaves as it does in the unit, turns among connections, so nothing needs
// to be hashed again.
void sign_by_tree(CommitUnit& unit) {
  auto turn = unit.thoughts.begin();
  auto edge = unit.connections.begin();
  const auto next_turn = [&] {
    turn = std::find_if(turn, unit.thoughts.end(), thought::may_be_tree_signed);
  };
  const auto next_edge = [&] {
    edge = std::find_if(edge, unit.connections.end(), thought::is_structure);
  };
  next_turn();
  next_edge();
  const auto turns = std::ranges::count_if(unit.thoughts, thought::may_be_tree_signed);
  const auto edges = std::ranges::count_if(unit.connections, thought::is_structure);
  const std::uint64_t structure = static_cast<std::uint64_t>(turns + edges);
  for (std::uint64_t i = unit.leaves.size() - structure; i < unit.leaves.size(); ++i) {
    const thought::TreeSignature signature{.checkpoint = *unit.checkpoint, .index = i, .path = {}};
    if (turn != unit.thoughts.end() && turn->cid == unit.leaves[i]) {
      (turn++)->signature = signature;
      next_turn();
    } else {
      (edge++)->signature = signature;
      next_edge();
    }
  }
}

}  // namespace weft::weave
