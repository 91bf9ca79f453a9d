// ConversationTrees: the trees of some conversations' checkpoints, found by the ids of their
// leaves. A thought may be a leaf of several: what a commit carries is a leaf of its checkpoint
// whether or not it was stored before.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/names.hpp"

namespace weft::store::sql {

class ConversationTrees {
 public:
  // A leaf of a tree.
  struct Leaf {
    Id checkpoint = 0;
    Cid name;  // of the checkpoint
    std::uint64_t index = 0;
  };

  // The trees of the checkpoints by the conversations' own creators, as far as they are stored
  // whole. corrupt if their leaves cannot be read.
  static Result<ConversationTrees> load(const Database& database, const Names& names,
                                        const std::vector<Id>& conversations);

  // Whether it is one of these checkpoints.
  bool has(Id checkpoint) const { return checkpoints_.contains(checkpoint); }
  // The leaves at which `id` stands, in the order of `conversations` and of their chains.
  std::vector<Leaf> find(Id id) const;

 private:
  struct Tree {
    Id checkpoint = 0;
    Cid name;
  };
  // Ids `first` to `end`, without that, of one tree.
  struct Stretch {
    Id first = 0, end = 0;
    std::uint64_t index = 0;  // the leaf of `first`
    std::size_t tree = 0;
    Id reach = 0;  // the greatest `end` up to here
  };
  // A leaf of a tree, by the tree's number.
  struct Place {
    std::size_t tree = 0;
    std::uint64_t index = 0;
  };
  void add(const Range& range, Place first);
  void index_stretches();

  std::vector<Tree> trees_;
  std::unordered_set<Id> checkpoints_;
  std::vector<Stretch> stretches_;  // by their first id
  // The leaves of short ranges: commits carry the same few identities again and again.
  std::unordered_map<Id, std::vector<Place>> single_;
};

}  // namespace weft::store::sql
