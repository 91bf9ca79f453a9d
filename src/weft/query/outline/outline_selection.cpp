#include "weft/query/outline/outline_selection.hpp"

#include "weft/base/try.hpp"
#include "weft/query/ask/turns.hpp"
#include "weft/query/outline/branches.hpp"

namespace weft::query {
namespace {

// The number of the turn at which a branch ends.
Result<std::size_t> find_leaf(const Library& library, const store::ConversationOutline& outline,
                              const std::string& branch) {
  Result<Cid> leaf = resolve_thought(library, branch);
  if (!leaf) return fail(std::move(leaf).error().within("finding the branch"));
  for (std::size_t i = 0; i < outline.turns.size(); ++i) {
    WEFT_TRY_VALUE(const auto cid, library.web.cid_of(outline.turns[i].turn));
    if (cid == *leaf) return i;
  }
  return no_turn(branch);
}

}  // namespace

Result<OutlineSelection> select_outline(const Library& library,
                                        const store::ConversationRow& conversation,
                                        const std::optional<std::string>& branch, bool all) {
  OutlineSelection selection;
  WEFT_TRY_VALUE(selection.outline, library.web.outline(conversation.cid));
  const store::ConversationOutline& outline = selection.outline;
  std::optional<std::size_t> leaf;
  if (branch) {
    WEFT_TRY_VALUE(leaf, find_leaf(library, outline, *branch));
  }
  std::vector<BranchTurn> turns;
  turns.reserve(outline.turns.size());
  for (const store::OutlineTurn& turn : outline.turns) {
    turns.push_back({.parent = turn.parent,
                     .names_parent = turn.names_parent,
                     .is_root = turn.is_root,
                     .sequence = turn.sequence,
                     .created_at = turn.created_at});
  }
  selection.is_in = in_branch(std::move(turns), leaf);
  selection.entries = std::move(selection.outline.entries);
  std::erase_if(selection.entries, [&](const store::OutlineEntry& entry) {
    // As in `walk`: a branch that is named is shown alone, with its superseded blocks if wanted.
    return (entry.is_superseded && !all) || (selection.is_other_branch(entry) && (!all || branch));
  });
  return selection;
}

}  // namespace weft::query
