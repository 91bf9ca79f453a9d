#include "weft/thought/tree.hpp"

#include <gtest/gtest.h>

#include "weft/crypto/blake3.hpp"

namespace weft::thought {
namespace {

using crypto::blake3;
using crypto::bytes_of;

Cid cid_number(std::uint32_t i) { return Cid(blake3(std::to_string(i))); }

std::vector<Cid> cids(std::uint32_t count) {
  std::vector<Cid> out;
  for (std::uint32_t i = 0; i < count; ++i) out.push_back(cid_number(i));
  return out;
}

// RFC 6962, section 2.1, word for word: split at the largest power of two below the size.
Digest slow_root(std::span<const Cid> leaves) {
  if (leaves.size() == 1) {
    return blake3({std::string_view("\0", 1), bytes_of(leaves[0].digest())});
  }
  std::size_t split = 1;
  while (split * 2 < leaves.size()) split *= 2;
  const Digest left = slow_root(leaves.first(split));
  const Digest right = slow_root(leaves.subspan(split));
  return blake3({std::string_view("\1", 1), bytes_of(left), bytes_of(right)});
}

TEST(Tree, HasTheShapeOfRfc6962ForEverySize) {
  for (std::uint32_t size = 1; size <= 70; ++size) {
    const auto leaves = cids(size);
    EXPECT_EQ(Tree(leaves).root(), slow_root(leaves)) << size;
  }
}

TEST(Tree, EveryPathLeadsFromItsLeafToTheRoot) {
  for (std::uint32_t size = 1; size <= 40; ++size) {
    const auto leaves = cids(size);
    const Tree tree(leaves);
    for (std::uint32_t i = 0; i < size; ++i) {
      EXPECT_TRUE(is_valid_path(leaves[i], i, size, tree.path(i), tree.root())) << size << " " << i;
    }
  }
}

TEST(Tree, NoPathHoldsForAnotherLeafPlaceSizeOrRoot) {
  const auto leaves = cids(13);
  const Tree tree(leaves);
  for (std::uint32_t i = 0; i < 13; ++i) {
    const auto path = tree.path(i);
    for (std::uint32_t j = 0; j < 16; ++j) {
      if (j == i) continue;
      EXPECT_FALSE(is_valid_path(leaves[i], j, 13, path, tree.root()));
      if (j >= 13) continue;
      EXPECT_FALSE(is_valid_path(leaves[j], i, 13, path, tree.root()));
    }
    for (const std::uint64_t size :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{8}, std::uint64_t{64}}) {
      EXPECT_FALSE(is_valid_path(leaves[i], i, size, path, tree.root())) << i << " of " << size;
    }
    auto longer = path;
    longer.push_back(Digest{});
    EXPECT_FALSE(is_valid_path(leaves[i], i, 13, longer, tree.root()));
    auto shorter = path;
    shorter.pop_back();
    EXPECT_FALSE(is_valid_path(leaves[i], i, 13, shorter, tree.root()));
    Digest root = tree.root();
    root[31] ^= 1;
    EXPECT_FALSE(is_valid_path(leaves[i], i, 13, path, root));
  }
}

TEST(Tree, HeadDependsOnEveryBlockAndTheirOrder) {
  const Cid a = cid_number(1);
  const Cid b = cid_number(2);
  const Digest zero{};
  EXPECT_NE(next_head(next_head(zero, a), b), next_head(next_head(zero, b), a));
  EXPECT_EQ(next_head(zero, a), blake3({bytes_of(zero), bytes_of(a.digest())}));
}

}  // namespace
}  // namespace weft::thought
