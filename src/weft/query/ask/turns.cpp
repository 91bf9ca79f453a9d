#include "weft/query/ask/turns.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/query/outline/branches.hpp"

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
  std::map<Cid, std::size_t> numbers;
  for (const TurnView& turn : turns) numbers.emplace(turn.thought.cid, numbers.size());
  std::optional<std::size_t> end;
  if (leaf) {
    Result<Cid> cid = resolve_thought(library, *leaf);
    if (!cid) return fail(std::move(cid).error().within("finding the branch"));
    const auto found = numbers.find(*cid);
    if (found == numbers.end()) return no_turn(*leaf);
    end = found->second;
  }
  const bool has_branches =
      std::ranges::any_of(turns, [](const TurnView& turn) { return turn.parent.has_value(); });
  std::vector<BranchTurn> links;
  for (const TurnView& turn : turns) {
    BranchTurn link{.names_parent = turn.parent.has_value(),
                    .sequence = turn.sequence,
                    .created_at = turn.thought.created_at};
    const auto parent = turn.parent ? numbers.find(*turn.parent) : numbers.end();
    if (parent != numbers.end()) link.parent = parent->second;
    link.is_root = has_branches && !link.names_parent && is_root(library, turn);
    links.push_back(link);
  }
  const std::vector<bool> is_in = in_branch(std::move(links), end);
  std::vector<TurnView> branch;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (is_in[i]) branch.push_back(std::move(turns[i]));
  }
  return branch;
}

std::unexpected<Error> no_turn(std::string_view leaf) {
  return fail(ErrorCode::invalid_input,
              std::string(leaf) + " is not a turn of this conversation; a branch ends at a turn");
}

Result<Cid> standing_for(const Library& library, const Cid& cid) {
  WEFT_TRY_VALUE(const auto sealed, library.web.sealed_as(cid));
  if (!sealed) return cid;
  WEFT_TRY_VALUE(const bool is_stored, library.web.has(cid));
  return is_stored ? cid : *sealed;
}

namespace {

// Puts sealed thoughts in the places of what they stand for, where they have none of their own.
Status put_sealed(const Library& library, std::vector<Cid>& cids) {
  std::vector<Cid> standing;
  for (const Cid& cid : cids) {
    WEFT_TRY_VALUE(const Cid block, standing_for(library, cid));
    const bool has_place = std::ranges::find(cids, block) != cids.end();
    if (block == cid || !has_place) standing.push_back(block);
  }
  cids = std::move(standing);
  return {};
}

}  // namespace

Result<std::vector<Cid>> blocks_of(const Library& library, const Thought& turn,
                                   Superseded superseded) {
  WEFT_TRY_VALUE(auto cids, library.web.neighbours_by(turn.created_by, turn.cid, "contains",
                                                      store::Direction::from));
  WEFT_TRY(put_sealed(library, cids));
  if (superseded == Superseded::yes) return cids;
  std::vector<Cid> current;
  for (const Cid& cid : cids) {
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
