#include "weft/weave/commit_unit.hpp"

#include <unordered_map>

#include "weft/crypto/blake3.hpp"

namespace weft::weave {

void sign(CommitUnit& unit) {
  for (std::size_t i = 0; i < unit.thoughts.size(); ++i) {
    if (unit.signers[i] == nullptr) continue;
    thought::Thought& thought = unit.thoughts[i];
    thought.signature = unit.signers[i]->sign(crypto::bytes_of(thought.cid.digest()));
  }
}

void sign_by_tree(CommitUnit& unit) {
  std::unordered_map<Cid, std::uint64_t> index;
  for (std::uint64_t i = 0; i < unit.leaves.size(); ++i) index.emplace(unit.leaves[i], i);
  const auto sign_one = [&](const Cid& cid, thought::Signature& signature) {
    const auto leaf = index.find(cid);
    if (leaf == index.end()) return;
    signature =
        thought::TreeSignature{.checkpoint = *unit.checkpoint, .index = leaf->second, .path = {}};
  };
  for (thought::Thought& thought : unit.thoughts) sign_one(thought.cid, thought.signature);
  for (thought::Connection& connection : unit.connections)
    sign_one(cid_of(connection), connection.signature);
}

}  // namespace weft::weave
