#include "weft/weave/commit_unit.hpp"

#include <unordered_map>

#include "weft/crypto/blake3.hpp"

namespace weft::thought {

void sign(Woven& woven) {
  for (std::size_t i = 0; i < woven.thoughts.size(); ++i) {
    if (woven.signers[i] == nullptr) continue;
    Thought& thought = woven.thoughts[i];
    thought.signature = woven.signers[i]->sign(crypto::bytes_of(thought.cid.digest()));
  }
}

void sign_by_tree(Woven& woven) {
  std::unordered_map<Cid, std::uint64_t> index;
  for (std::uint64_t i = 0; i < woven.leaves.size(); ++i) index.emplace(woven.leaves[i], i);
  const auto sign_one = [&](const Cid& cid, Signature& signature) {
    const auto leaf = index.find(cid);
    if (leaf == index.end()) return;
    signature = TreeSignature{.checkpoint = *woven.checkpoint, .index = leaf->second, .path = {}};
  };
  for (Thought& thought : woven.thoughts) sign_one(thought.cid, thought.signature);
  for (Connection& connection : woven.connections)
    sign_one(cid_of(connection), connection.signature);
}

}  // namespace weft::thought
