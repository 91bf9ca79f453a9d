#include "weft/thought/tree.hpp"

#include "weft/crypto/blake3.hpp"

namespace weft::thought {
namespace {

Digest leaf_hash(const Cid& cid) {
  return crypto::blake3({std::string_view("\0", 1), crypto::bytes_of(cid.digest())});
}

Digest node_hash(const Digest& left, const Digest& right) {
  return crypto::blake3(
      {std::string_view("\1", 1), crypto::bytes_of(left), crypto::bytes_of(right)});
}

}  // namespace

// RFC 6962 splits at the largest power of two below the size. Pairing neighbours level
// by level, and lifting an odd last node as it is, gives the same tree.
Tree::Tree(std::span<const Cid> leaves) {
  std::vector<Digest> level;
  level.reserve(leaves.size());
  for (const Cid& leaf : leaves) level.push_back(leaf_hash(leaf));
  levels_.push_back(std::move(level));
  while (levels_.back().size() > 1) {
    const std::vector<Digest>& below = levels_.back();
    std::vector<Digest> above;
    above.reserve((below.size() + 1) / 2);
    for (std::size_t i = 0; i + 1 < below.size(); i += 2)
      above.push_back(node_hash(below[i], below[i + 1]));
    if (below.size() % 2 == 1) above.push_back(below.back());
    levels_.push_back(std::move(above));
  }
}

std::uint64_t Tree::size() const { return levels_.front().size(); }

Digest Tree::root() const { return levels_.back().front(); }

std::vector<Digest> Tree::path(std::uint64_t index) const {
  std::vector<Digest> path;
  for (const std::vector<Digest>& level : levels_) {
    const std::uint64_t sibling = index ^ 1;
    if (sibling < level.size()) path.push_back(level[sibling]);
    index /= 2;
  }
  return path;
}

bool is_valid_path(const Cid& leaf, std::uint64_t index, std::uint64_t size,
                   std::span<const Digest> path, const Digest& root) {
  if (index >= size) return false;
  Digest hash = leaf_hash(leaf);
  std::uint64_t last = size - 1;  // index of the last node on this level
  for (const Digest& sibling : path) {
    // An odd last node has no sibling: it is lifted to the level where it has one.
    while (index == last && index % 2 == 0) {
      if (last == 0) return false;  // the path is longer than the tree is high
      index /= 2;
      last /= 2;
    }
    hash = index % 2 == 1 ? node_hash(sibling, hash) : node_hash(hash, sibling);
    index /= 2;
    last /= 2;
  }
  while (index == last && index % 2 == 0 && last != 0) {
    index /= 2;
    last /= 2;
  }
  return last == 0 && hash == root;
}

Digest next_head(const Digest& head, const Cid& cid) {
  return crypto::blake3({crypto::bytes_of(head), crypto::bytes_of(cid.digest())});
}

}  // namespace weft::thought
