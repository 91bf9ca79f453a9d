#include "weft/store/sql/read/conversation_trees.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

constexpr std::uint64_t kMostLeaves = std::uint64_t{1} << 32;  // more than a tree has
constexpr std::uint64_t kShort = 8;

}  // namespace

Result<ConversationTrees> ConversationTrees::load(const Database& database, const Names& names,
                                                  const std::vector<Id>& conversations) {
  ConversationTrees loaded;
  for (const Id conversation : conversations) {
    Rows rows = database.query(
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
        loaded.add(range, {.tree = loaded.trees_.size(), .index = index});
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

void ConversationTrees::add(const Range& range, Place first) {
  if (range.count > kShort) {
    stretches_.push_back({.first = range.first,
                          .end = range.first + static_cast<Id>(range.count),
                          .index = first.index,
                          .tree = first.tree});
    return;
  }
  for (std::uint64_t i = 0; i < range.count; ++i) {
    single_[range.first + static_cast<Id>(i)].push_back({first.tree, first.index + i});
  }
}

void ConversationTrees::index_stretches() {
  std::ranges::sort(stretches_, {}, &Stretch::first);
  Id reach = 0;
  for (Stretch& stretch : stretches_) stretch.reach = reach = std::max(reach, stretch.end);
}

std::vector<ConversationTrees::Leaf> ConversationTrees::find(Id id) const {
  std::vector<Place> found;
  if (const auto places = single_.find(id); places != single_.end()) found = places->second;
  auto at = std::ranges::upper_bound(stretches_, id, {}, &Stretch::first);
  while (at != stretches_.begin() && (--at)->reach > id) {
    if (at->end <= id) continue;
    found.push_back({at->tree, at->index + static_cast<std::uint64_t>(id - at->first)});
  }
  std::ranges::sort(found, {}, &Place::tree);
  std::vector<Leaf> leaves;
  leaves.reserve(found.size());
  for (const Place& place : found) {
    leaves.push_back({trees_[place.tree].checkpoint, trees_[place.tree].name, place.index});
  }
  return leaves;
}

}  // namespace weft::store::sql
