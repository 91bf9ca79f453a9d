#include "weft/store/sql/write/imported_turns.hpp"

#include <algorithm>
#include <utility>

namespace weft::store::sql {

void ImportedTurns::note(const Addition& addition, Id first, CommitNames& names) {
  if (first_ == 0) first_ = first;
  for (const thought::Thought* thought : addition.thoughts) {
    if (thought::kind_of(thought->type) != "turn") continue;
    turns_.push_back({names.id(thought->cid), names.id(thought->created_by)});
  }
  for (const Addition::Edge& edge : addition.edges) {
    const thought::Connection& connection = *edge.connection;
    if (connection.relation != "contains" || connection.from == addition.conversation) continue;
    places_.push_back({.block = names.id(connection.to),
                       .edge = names.id(edge.name),
                       .turn = names.id(connection.from),
                       .author = names.id(connection.created_by)});
  }
}

void ImportedTurns::sort() {
  std::ranges::sort(places_, {},
                    [](const Place& place) { return std::pair(place.block, place.edge); });
  std::ranges::sort(turns_, {}, &Turn::id);
}

std::optional<Id> ImportedTurns::find(Id block) const {
  if (block < first_) return std::nullopt;
  for (const Place& place : std::ranges::equal_range(places_, block, {}, &Place::block)) {
    if (place.turn < first_) return std::nullopt;
    const auto turn = std::ranges::lower_bound(turns_, place.turn, {}, &Turn::id);
    const bool is_there = turn != turns_.end() && turn->id == place.turn;
    if (is_there && turn->creator == place.author) return place.turn;
  }
  return 0;
}

}  // namespace weft::store::sql
