#include "weft/store/sql/late/added_tally.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {

Status AddedTally::count() {
  WEFT_TRY_VALUE(contains_, places_.contains());
  WEFT_TRY_VALUE(supersedes_, places_.supersedes());
  for (const Edge& edge : addition_.edges) {
    if (edge.created_by != addition_.creator) continue;
    if (edge.relation == supersedes_) replaced_.insert(edge.to);
    if (edge.relation != contains_) continue;
    if (edge.from == addition_.conversation) turns_.insert(edge.to);
    else first_blocks_.try_emplace(edge.from, edge.to);
  }
  for (const Edge& edge : addition_.edges) {
    if (edge.created_by != addition_.creator || edge.relation != contains_) continue;
    WEFT_TRY(edge.from == addition_.conversation ? count_turn(edge) : count_block(edge));
  }
  for (const Id block : replaced_) WEFT_TRY(take_back(block));
  return {};
}

Result<Millis> AddedTally::time_of_turn(Id turn) {
  if (const auto* added = addition_.find(turn)) return added->thought->created_at;
  return time_of(with_, turn);
}

Status AddedTally::count_turn(const Edge& edge) {
  const auto first = first_blocks_.find(edge.to);
  bool is_own = true;
  if (first != first_blocks_.end()) {
    WEFT_TRY_VALUE(is_own, places_.is_own(first->second));
  } else {
    WEFT_TRY_VALUE(is_own, places_.is_own_turn(edge.to, addition_.creator));
  }
  WEFT_TRY_VALUE(const Millis time, time_of_turn(edge.to));
  add_turns(change_, time, {.all = 1, .own = is_own ? 1 : 0});
  return {};
}

Status AddedTally::count_block(const Edge& edge) {
  WEFT_TRY_VALUE(const bool is_own, places_.is_own(edge.to));
  if (!is_own && !turns_.contains(edge.from)) WEFT_TRY(count_copied_turn(edge));
  if (replaced_.contains(edge.to)) return {};
  const LateAddition::NewThought* added = addition_.find(edge.to);
  if (added == nullptr) {
    WEFT_TRY_VALUE(const bool is_gone, places_.is_superseded(edge.to, addition_.creator, kAnyId));
    if (is_gone) return {};
  }
  WEFT_TRY_VALUE(const auto block, find_block(edge.to, added));
  if (block) block->add_to(change_, is_own);
  return {};
}

Status AddedTally::count_copied_turn(const Edge& edge) {
  WEFT_TRY_VALUE(const auto blocks, places_.contents(edge.from, addition_.creator));
  if (blocks.empty() || blocks.front().first != edge.id) return {};
  WEFT_TRY_VALUE(const Millis time, time_of_turn(edge.from));
  add_turns(change_, time, {.all = 0, .own = -1});
  return {};
}

Result<std::optional<CountedBlock>> AddedTally::find_block(Id id,
                                                           const LateAddition::NewThought* added) {
  if (added == nullptr || added->tally == nullptr) return read_block(with_, id);
  const thought::Thought& thought = *added->thought;
  WEFT_TRY_VALUE(const Id type, with_.words.id(thought.type));
  CountedBlock block{
      .type = type, .author = added->author, .time = thought.created_at, .tally = *added->tally};
  if (block.tally.kind == BlockTally::Kind::tool_result) {
    WEFT_TRY_VALUE(block.since_request, time_since(with_, added->first_cause, block.time));
  }
  return block;
}

Status AddedTally::take_back(Id block) {
  const auto first = std::ranges::find_if(addition_.edges, [&](const Edge& edge) {
    return edge.relation == supersedes_ && edge.to == block && edge.created_by == addition_.creator;
  });
  WEFT_TRY_VALUE(const bool is_gone, places_.is_superseded(block, addition_.creator, first->id));
  if (is_gone) return {};
  WEFT_TRY_VALUE(const auto counted, read_block(with_, block));
  if (!counted) return {};
  WEFT_TRY_VALUE(const auto stood, places_.places_of(block, addition_.creator));
  for (const Places::Place& place : stood) {
    const bool is_new = std::ranges::binary_search(addition_.edges, place.edge, {}, &Edge::id);
    if (is_new) continue;
    const bool is_here = place.conversation == addition_.conversation;
    Places there(with_, place.conversation);
    WEFT_TRY_VALUE(const bool is_own, there.is_own(block));
    counted->add_to(is_here ? change_ : elsewhere_[place.conversation], is_own, -1);
  }
  return {};
}

}  // namespace weft::store::sql
