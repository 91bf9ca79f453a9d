#include "weft/store/import/import_grouping.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/thought/tree.hpp"

namespace weft::store::sql {
namespace {

using Kind = Outline::Kind;

// Belongs to the conversation that it names, whatever else refers to it.
bool is_structure(Kind kind) {
  return kind == Kind::conversation || kind == Kind::turn || kind == Kind::facts ||
         kind == Kind::usage || kind == Kind::checkpoint;
}

bool is_connection(Kind kind) { return kind == Kind::connection || kind == Kind::contains; }

}  // namespace

Result<ImportGrouping> ImportGrouping::sort(const Outlines& outlines, const CreatorOf& creator_of) {
  ImportGrouping sorting(outlines);
  WEFT_TRY(sorting.check_connections());
  sorting.find_trees();
  sorting.find_placed();
  sorting.find_own(creator_of);
  sorting.make_groups();
  WEFT_TRY(sorting.find_holders());
  sorting.find_members();
  return sorting;
}

Status ImportGrouping::check_connections() const {
  for (Number i = 0; i < outlines_->size(); ++i) {
    const Outline& outline = (*outlines_)[i];
    if (outline.is_dropped || outline.kind != Kind::malformed_connection) continue;
    return fail(ErrorCode::invalid_input,
                "importing " + outlines_->cid_of(i).str() + ": a malformed connection");
  }
  return {};
}

void ImportGrouping::find_trees() {
  const auto add = [&](std::uint32_t checkpoint, Leaf leaf) {
    if (checkpoint == kNoNumber) return;
    const Number signer = outlines_->thought_at(checkpoint);
    if (signer != kNoNumber) trees_[signer].leaves.push_back(leaf);
  };
  for (Number i = 0; i < outlines_->size(); ++i) {
    const Outline& outline = (*outlines_)[i];
    if (outline.is_dropped) continue;
    add(outline.checkpoint, {.index = outline.leaf, .thought = i, .is_signed = true});
  }
  for (const Cover& cover : outlines_->covers()) {
    if ((*outlines_)[cover.thought].is_dropped) continue;
    add(cover.checkpoint, {.index = cover.leaf, .thought = cover.thought, .is_signed = false});
  }
  for (auto& [index, tree] : trees_) {
    const thought::Checkpoint* checkpoint = outlines_->find_checkpoint(index);
    tree.is_whole = checkpoint != nullptr && is_whole(tree.leaves, *checkpoint);
  }
}

// Whether all leaves of the tree came: then their paths, which the caller checked, follow from
// them and need not be kept. Sorts the leaves.
bool ImportGrouping::is_whole(std::vector<Leaf>& leaves,
                              const thought::Checkpoint& checkpoint) const {
  std::ranges::sort(leaves, {}, [](const Leaf& leaf) {
    return std::tuple(leaf.index, !leaf.is_signed, leaf.thought);
  });
  // The same line may have come several times.
  const auto again = std::ranges::unique(leaves, {}, &Leaf::index);
  leaves.erase(again.begin(), again.end());
  if (leaves.size() != checkpoint.leaves || leaves.size() > kMaxWholeTree) return false;
  std::vector<Cid> cids;
  cids.reserve(leaves.size());
  for (const Leaf& leaf : leaves) cids.push_back(outlines_->cid_of(leaf.thought));
  return thought::Tree(cids).root() == checkpoint.root;
}

void ImportGrouping::find_placed() {
  placed_.assign(outlines_->cids(), false);
  for (Number i = 0; i < outlines_->size(); ++i) {
    const Outline& outline = (*outlines_)[i];
    if (!outline.is_dropped && outline.kind == Kind::contains) {
      placed_[outlines_->references(i).back()] = true;
    }
  }
}

std::uint32_t ImportGrouping::named_conversation(Number thought) const {
  const Outline& outline = (*outlines_)[thought];
  if (outline.is_dropped) return kNoNumber;
  if (outline.conversation != kNoNumber || outline.checkpoint == kNoNumber) {
    return outline.conversation;
  }
  const Number signer = outlines_->thought_at(outline.checkpoint);
  if (signer == kNoNumber || outlines_->find_checkpoint(signer) == nullptr) return kNoNumber;
  return (*outlines_)[signer].conversation;
}

void ImportGrouping::find_own(const CreatorOf& creator_of) {
  own_.assign(outlines_->size(), kNoNumber);
  for (Number i = 0; i < outlines_->size(); ++i) {
    const std::uint32_t conversation = named_conversation(i);
    if (conversation == kNoNumber) continue;
    const auto [stored, is_new] = creators_.try_emplace(conversation);
    if (is_new) stored->second = creator_of(outlines_->cid(conversation));
    const Number here = outlines_->thought_at(conversation);
    const std::optional<Cid> creator =
        here != kNoNumber ? outlines_->cid((*outlines_)[here].created_by) : stored->second;
    if (creator == outlines_->cid((*outlines_)[i].created_by)) own_[i] = conversation;
  }
}

void ImportGrouping::make_groups() {
  std::vector<std::uint32_t> found;
  for (Number i = 0; i < outlines_->size(); ++i) {
    const std::uint32_t conversation = own_[i];
    if (conversation == kNoNumber || group_of_.contains(conversation)) continue;
    // One without turns is only pointed at; one whose own thought is nowhere is no conversation
    // yet. What names it is stored.
    if ((*outlines_)[i].kind != Kind::turn && !creators_.at(conversation)) continue;
    group_of_.emplace(conversation, 0);
    found.push_back(conversation);
  }
  std::ranges::sort(found, {}, [&](std::uint32_t cid) { return outlines_->cid(cid); });
  for (const std::uint32_t cid : found) {
    group_of_[cid] = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({.conversation = outlines_->cid(cid)});
  }
}

Status ImportGrouping::find_holders() {
  holder_.assign(outlines_->size(), kNoNumber);
  for (Number i = 0; i < outlines_->size(); ++i) {
    const auto group = group_of_.find(own_[i]);
    if (group != group_of_.end()) hold(i, group->second);
  }
  for (const auto& [index, tree] : trees_) {
    const auto group = group_of_.find(own_[index]);
    if (group == group_of_.end()) continue;
    for (const Leaf& leaf : tree.leaves) hold(leaf.thought, group->second);
  }
  WEFT_TRY(follow());
  for (Number i = 0; i < outlines_->size(); ++i) {
    if ((*outlines_)[i].is_dropped || holder_[i] != kNoNumber) continue;
    if (named_conversation(i) != kNoNumber) continue;
    hold_loose(i);
    WEFT_TRY(follow());
  }
  return {};
}

// Nothing refers to it: it belongs to the conversations in which its creator speaks.
void ImportGrouping::hold_loose(Number thought) {
  const Number creator = outlines_->thought_at((*outlines_)[thought].created_by);
  if (creator == kNoNumber || holder_[creator] == kNoNumber) return;
  hold(thought, holder_[creator]);
  const auto more = more_holders_.find(creator);
  if (more == more_holders_.end()) return;
  const std::vector<std::uint32_t> groups = more->second;  // hold() adds to the map
  for (const std::uint32_t group : groups) hold(thought, group);
}

void ImportGrouping::hold(Number thought, std::uint32_t group) {
  if (holder_[thought] == group) return;
  if (holder_[thought] == kNoNumber) {
    holder_[thought] = group;
  } else {
    std::vector<std::uint32_t>& more = more_holders_[thought];
    if (!more.empty() && more.back() == group) return;  // most often
    if (std::ranges::find(more, group) != more.end()) return;
    more.push_back(group);
  }
  ++held_;
  pending_.push_back({thought, group});
}

Status ImportGrouping::follow() {
  while (!pending_.empty()) {
    if (held_ > kMaxMembers) {
      return fail(ErrorCode::invalid_input,
                  "the file has too many thoughts that belong to several conversations; import "
                  "fewer conversations at a time");
    }
    const Held held = pending_.back();
    pending_.pop_back();
    hold_spoken_of(held);
  }
  return {};
}

void ImportGrouping::hold_spoken_of(const Held& held) {
  const auto hold_named = [&](std::uint32_t cid, bool contained) {
    const Number found = outlines_->thought_at(cid);
    if (found == kNoNumber) return;
    if (!contained && (placed_[cid] || is_structure((*outlines_)[found].kind))) return;
    hold(found, held.group);
  };
  const Outline& outline = (*outlines_)[held.thought];
  hold_named(outline.created_by, false);
  const std::span<const std::uint32_t> references = outlines_->references(held.thought);
  const std::size_t ends = is_connection(outline.kind) ? 2 : 0;
  for (const std::uint32_t cid : references.first(references.size() - ends)) {
    hold_named(cid, false);
  }
  if (ends == 0) return;
  hold_named(references[references.size() - 2], false);
  hold_named(references.back(), outline.kind == Kind::contains);
}

void ImportGrouping::find_members() {
  const auto add = [&](Number i, std::uint32_t number) {
    const Outline& outline = (*outlines_)[i];
    Group& group = groups_[number];
    group.members.push_back(i);
    if (outlines_->find_checkpoint(i) != nullptr &&
        outlines_->cid(outline.conversation) == group.conversation) {
      group.checkpoints.push_back(i);
    }
    if (outline.kind == Kind::facts) group.facts.push_back(i);
  };
  for (Number i = 0; i < outlines_->size(); ++i) {
    if (holder_[i] == kNoNumber) continue;
    add(i, holder_[i]);
    const auto more = more_holders_.find(i);
    if (more == more_holders_.end()) continue;
    for (const std::uint32_t group : more->second) add(i, group);
  }
  for (Group& group : groups_) order_chain(group.checkpoints);
}

void ImportGrouping::order_chain(std::vector<Number>& checkpoints) const {
  std::unordered_map<Cid, std::vector<Number>> after;
  for (const Number index : checkpoints) after[outlines_->cid_of(index)];
  std::vector<Number> pending, ordered;
  for (auto at = checkpoints.rbegin(); at != checkpoints.rend(); ++at) {
    const std::optional<Cid>& previous = outlines_->find_checkpoint(*at)->previous;
    const bool follows = previous && after.contains(*previous);
    (follows ? after[*previous] : pending).push_back(*at);
  }
  while (!pending.empty()) {
    const Number next = pending.back();
    pending.pop_back();
    ordered.push_back(next);
    const std::vector<Number>& followers = after[outlines_->cid_of(next)];
    pending.insert(pending.end(), followers.begin(), followers.end());
  }
  checkpoints = std::move(ordered);
}

std::vector<ImportGrouping::Part> ImportGrouping::parts() const {
  std::vector<Part> parts;
  const auto is_gone = [this](Number thought) { return (*outlines_)[thought].kind == Kind::gone; };
  std::vector<bool> signed_apart(outlines_->size());  // by a whole tree, or a checkpoint itself
  const auto add_checkpoint = [&](Number index, const std::optional<Cid>& conversation) {
    Part& part = parts.emplace_back(
        Part{.conversation = conversation, .checkpoint = index, .members = {index}});
    signed_apart[index] = true;
    const auto tree = trees_.find(index);
    if (tree == trees_.end() || !tree->second.is_whole) return;
    for (const Leaf& leaf : tree->second.leaves) {
      part.leaves.push_back(leaf.thought);
      if (!leaf.is_signed) continue;
      part.members.push_back(leaf.thought);
      signed_apart[leaf.thought] = true;
    }
  };
  // Everything else comes first: it brings the conversation's own thought.
  for (const Group& group : groups_) {
    const std::size_t first = parts.size();
    parts.push_back({.conversation = group.conversation});
    for (const Number index : group.checkpoints) add_checkpoint(index, group.conversation);
    for (const Number index : group.members) {
      if (!signed_apart[index] && !is_gone(index)) parts[first].members.push_back(index);
    }
  }
  Part rest;
  for (Number i = 0; i < outlines_->size(); ++i) {
    if ((*outlines_)[i].is_dropped || signed_apart[i] || is_gone(i)) continue;
    if (outlines_->find_checkpoint(i) != nullptr) {
      add_checkpoint(i, std::nullopt);
    } else if (holder_[i] == kNoNumber) {
      rest.members.push_back(i);
    }
  }
  parts.push_back(std::move(rest));
  return parts;
}

}  // namespace weft::store::sql
