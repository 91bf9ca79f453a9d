#include "weft/query/ask/turns.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "weft/base/try.hpp"

namespace weft::query {

using thought::Thought;

namespace {

// Whether the turn starts a conversation: its first block has no cause.
bool is_root(const Library& library, const TurnView& turn) {
  const auto blocks = blocks_of(library, turn.thought, Superseded::yes);
  if (!blocks || blocks->empty()) return false;
  const Result<Thought> first = library.web.get_without_path(blocks->front());
  return first && first->because.empty();
}

// In many formats only the turn that begins a branch names its parent, and each other one follows
// the one before it.
void fill_in_parents(const Library& library, std::vector<TurnView>& turns) {
  for (std::size_t i = 1; i < turns.size(); ++i) {
    if (!turns[i].parent && !is_root(library, turns[i])) {
      turns[i].parent = turns[i - 1].thought.cid;
    }
  }
}

Result<std::vector<TurnView>> read_turns(const Library& library, const std::vector<Cid>& cids) {
  std::vector<TurnView> turns;
  for (const Cid& cid : cids) {
    Result<Thought> thought = library.web.get_without_path(cid);
    if (!thought) return fail(std::move(thought).error().within("reading a turn"));
    TurnView turn{
        .role = std::string(find_string(thought->content, "role").value_or("")),
        .sequence = static_cast<std::uint64_t>(find_int(thought->content, "sequence").value_or(0))};
    if (const auto parent = find_string(thought->content, "parent")) {
      if (Result<Cid> parent_cid = Cid::parse(*parent)) turn.parent = *parent_cid;
    }
    turn.thought = *std::move(thought);
    turns.push_back(std::move(turn));
  }
  std::ranges::stable_sort(turns, {}, &TurnView::sequence);
  return turns;
}

}  // namespace

Result<std::vector<TurnView>> turns_of(const Library& library,
                                       const store::ConversationRow& conversation) {
  WEFT_TRY_VALUE(auto cids, library.web.neighbours_by(conversation.created_by, conversation.cid,
                                                      "contains", store::Direction::from));
  return read_turns(library, cids);
}

Result<std::vector<TurnView>> foreign_turns_of(const Library& library,
                                               const store::ConversationRow& conversation) {
  WEFT_TRY_VALUE(auto cids, foreign_neighbours(library, conversation.created_by, conversation.cid,
                                               "contains", store::Direction::from));
  WEFT_TRY_VALUE(auto turns, read_turns(library, cids));
  for (TurnView& turn : turns) turn.foreign = true;
  return turns;
}

Result<std::vector<TurnView>> branch_of(const Library& library, std::vector<TurnView> turns,
                                        const std::optional<std::string>& leaf) {
  const bool has_branches =
      std::ranges::any_of(turns, [](const TurnView& turn) { return turn.parent.has_value(); });
  if (has_branches) fill_in_parents(library, turns);
  std::map<Cid, const TurnView*> by_cid;
  std::set<Cid> parents;
  for (const TurnView& turn : turns) {
    by_cid[turn.thought.cid] = &turn;
    if (turn.parent) parents.insert(*turn.parent);
  }
  if (parents.empty() && !leaf) return turns;

  const TurnView* end = nullptr;
  if (leaf) {
    Result<Cid> cid = resolve_thought(library, *leaf);
    if (!cid) return fail(std::move(cid).error().within("finding the branch"));
    const auto found = by_cid.find(*cid);
    if (found == by_cid.end()) {
      return fail(ErrorCode::invalid_input,
                  *leaf + " is not a turn of this conversation; a branch ends at a turn");
    }
    end = found->second;
  } else {
    for (const TurnView& turn : turns) {
      const bool is_leaf = !parents.contains(turn.thought.cid);
      if (is_leaf && (end == nullptr || turn.thought.created_at >= end->thought.created_at))
        end = &turn;
    }
  }
  // If turns name no parents, each follows the one before it.
  if (parents.empty()) {
    const std::uint64_t last = end->sequence;
    std::erase_if(turns, [&](const TurnView& turn) { return turn.sequence > last; });
    return turns;
  }
  // Each turn at most once: a cycle in a foreign web ends the walk.
  std::set<Cid> kept;
  while (end != nullptr && kept.insert(end->thought.cid).second) {
    const auto above = end->parent ? by_cid.find(*end->parent) : by_cid.end();
    end = above == by_cid.end() ? nullptr : above->second;
  }
  std::erase_if(turns, [&](const TurnView& turn) { return !kept.contains(turn.thought.cid); });
  return turns;
}

Result<std::vector<Cid>> blocks_of(const Library& library, const Thought& turn,
                                   Superseded superseded) {
  Result<std::vector<Cid>> cids =
      library.web.neighbours_by(turn.created_by, turn.cid, "contains", store::Direction::from);
  if (!cids || superseded == Superseded::yes) return cids;
  std::vector<Cid> current;
  for (const Cid& cid : *cids) {
    WEFT_TRY_VALUE(auto newer, library.web.neighbours_by(turn.created_by, cid, "supersedes",
                                                         store::Direction::to));
    if (newer.empty()) current.push_back(cid);
  }
  return current;
}

Result<std::vector<Cid>> foreign_neighbours(const Library& library, const Cid& creator,
                                            const Cid& cid, std::string_view relation,
                                            store::Direction direction) {
  WEFT_TRY_VALUE(auto all, library.web.neighbours(cid, relation, direction));
  WEFT_TRY_VALUE(const auto own, library.web.neighbours_by(creator, cid, relation, direction));
  std::erase_if(all, [&](const Cid& end) { return std::ranges::find(own, end) != own.end(); });
  return all;
}

}  // namespace weft::query
