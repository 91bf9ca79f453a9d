#include "weft/store/sql/read/conversation_trees.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

constexpr std::uint64_t kMostLeaves = std::uint64_t{1} << 32;  // more than a tree has

}  // namespace

Result<ConversationTrees> ConversationTrees::load(const sqlite::Database& database,
                                                  const Names& names,
                                                  const std::vector<Id>& conversations) {
  ConversationTrees loaded;
  for (const Id conversation : conversations) {
    sqlite::Rows rows = database.query(
        "SELECT checkpoints.id, leaves FROM checkpoints JOIN thoughts USING (id) "
        "WHERE conversation = ?1 AND leaves IS NOT NULL AND created_by = "
        "(SELECT created_by FROM thoughts WHERE id = ?1) ORDER BY seq",
        conversation);
    while (rows.next()) {
      WEFT_TRY_VALUE(const auto ranges, unpack_leaves(rows.bytes(1)));
      WEFT_TRY_VALUE(const auto name, names.cid(rows.integer(0)));
      std::uint64_t index = 0;
      for (const Range& range : ranges) {
        if (range.first <= 0 || range.count > kMostLeaves) {
          return fail(ErrorCode::corrupt, "a checkpoint's leaves are damaged");
        }
        loaded.stretches_.push_back({.first = range.first,
                                     .end = range.first + static_cast<Id>(range.count),
                                     .index = index,
                                     .tree = loaded.trees_.size()});
        index += range.count;
      }
      loaded.trees_.push_back({rows.integer(0), name});
      loaded.checkpoints_.insert(rows.integer(0));
    }
    WEFT_TRY(rows.status());
  }
  loaded.index_stretches();
  return loaded;
}

void ConversationTrees::index_stretches() {
  std::ranges::sort(stretches_, {}, &Stretch::first);
  Id reach = 0;
  for (Stretch& stretch : stretches_) stretch.reach = reach = std::max(reach, stretch.end);
}

std::vector<ConversationTrees::Leaf> ConversationTrees::find(Id id) const {
  std::vector<const Stretch*> found;
  auto at = std::ranges::upper_bound(stretches_, id, {}, &Stretch::first);
  while (at != stretches_.begin() && (--at)->reach > id) {
    if (at->end > id) found.push_back(&*at);
  }
  std::ranges::sort(found, {}, &Stretch::tree);
  std::vector<Leaf> leaves;
  leaves.reserve(found.size());
  for (const Stretch* stretch : found) {
    const Tree& tree = trees_[stretch->tree];
    leaves.push_back({tree.checkpoint, tree.name,
                      stretch->index + static_cast<std::uint64_t>(id - stretch->first)});
  }
  return leaves;
}

}  // namespace weft::store::sql
