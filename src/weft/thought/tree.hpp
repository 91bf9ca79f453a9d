// Merkle tree that signs structure in bulk: the shape of RFC 6962, with BLAKE3.
// leaf = H(00 ‖ cid), node = H(01 ‖ left ‖ right). A million edges cost one signature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/cid.hpp"

namespace weft::thought {

// All levels of one tree, so that computing a path costs its length.
// Precondition: at least one leaf, and fewer than 2^32.
class Tree {
 public:
  explicit Tree(std::span<const Cid> leaves);
  std::uint64_t size() const;
  Digest root() const;
  // From the leaf's sibling up. Precondition: index < size().
  std::vector<Digest> path(std::uint64_t index) const;

 private:
  std::vector<std::vector<Digest>> levels_;
};

// Whether `path` leads from `leaf`, at `index` of `size` leaves, to `root`. False for a path of
// the wrong length.
[[nodiscard]] bool is_valid_path(const Cid& leaf, std::uint64_t index, std::uint64_t size,
                                 std::span<const Digest> path, const Digest& root);

// The running hash over block places: h0 = 32 zero bytes, h = BLAKE3(h ‖ cid).
Digest next_head(const Digest& head, const Cid& cid);

}  // namespace weft::thought
