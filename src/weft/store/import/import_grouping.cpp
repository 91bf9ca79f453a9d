#include "weft/store/import/import_grouping.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/thought/tree.hpp"

namespace weft::store::sql {
namespace {

// Belongs to the conversation that it names, whatever else refers to it.
bool is_structure(const thought::Thought& thought) {
  const std::string_view kind = thought::kind_of(thought.type);
  return kind == "conversation" || kind == "turn" || kind == "conversation_facts" ||
         kind == "checkpoint";
}

const thought::TreeSignature* tree_signature(const thought::Thought& thought) {
  return std::get_if<thought::TreeSignature>(&thought.signature);
}

}  // namespace

Result<ImportGrouping> ImportGrouping::sort(const std::vector<thought::Thought>& thoughts,
                                            const CreatorOf& creator_of) {
  ImportGrouping sorting(thoughts);
  WEFT_TRY(sorting.parse());
  sorting.find_trees();
  sorting.find_holders(creator_of);
  sorting.find_groups();
  return sorting;
}

Status ImportGrouping::parse() {
  bodies_.resize(thoughts_->size());
  for (std::size_t i = 0; i < thoughts_->size(); ++i) {
    by_cid_.emplace(thought(i).cid, i);
    if (thought(i).type == thought::kConnectionType) {
      Result<thought::Connection> connection = thought::to_connection(thought(i));
      if (!connection) {
        return fail(std::move(connection).error().within("adopting " + thought(i).cid.str()));
      }
      if (connection->relation == "contains") placed_.insert(connection->to);
      connections_.emplace(i, *std::move(connection));
    } else if (Result<thought::Checkpoint> checkpoint = thought::to_checkpoint(thought(i))) {
      checkpoints_.emplace(i, *std::move(checkpoint));
    }
    if (!connections_.contains(i)) bodies_[i] = pack_ahead(thought(i));
  }
  holders_.resize(thoughts_->size());
  return {};
}

void ImportGrouping::find_trees() {
  for (std::size_t i = 0; i < thoughts_->size(); ++i) {
    if (const auto* tree = tree_signature(thought(i))) trees_[tree->checkpoint].items.insert(i);
  }
  for (const auto& [index, checkpoint] : checkpoints_) {
    const auto tree = trees_.find(thought(index).cid);
    if (tree != trees_.end()) tree->second.leaves = leaves_of(tree->second, checkpoint);
  }
}

// All leaves of the tree if all came and their paths are its own: then the paths need not
// be kept. Empty otherwise.
std::vector<Cid> ImportGrouping::leaves_of(const Tree& tree,
                                           const thought::Checkpoint& checkpoint) const {
  if (tree.items.size() < checkpoint.leaves) return {};
  std::vector<Cid> leaves(checkpoint.leaves);
  for (const std::size_t i : tree.items) {
    const std::uint64_t leaf = tree_signature(thought(i))->index;
    if (leaf >= leaves.size()) return {};
    leaves[leaf] = thought(i).cid;
  }
  const thought::Tree whole(leaves);
  if (whole.root() != checkpoint.root) return {};
  const bool same_paths = std::ranges::all_of(tree.items, [&](std::size_t i) {
    return tree_signature(thought(i))->path == whole.path(tree_signature(thought(i))->index);
  });
  return same_paths ? leaves : std::vector<Cid>();
}

std::optional<Cid> ImportGrouping::named_conversation(std::size_t index) const {
  const thought::Thought& it = thought(index);
  const std::string_view kind = thought::kind_of(it.type);
  if (kind == "conversation") return it.cid;
  if (kind == "conversation_facts" && !it.because.empty()) return it.because.front().thought;
  if (kind == "turn") {
    Result<Cid> cid = Cid::parse(find_string(it.content, "conversation").value_or(""));
    if (cid) return *cid;
  }
  if (const auto own = checkpoints_.find(index); own != checkpoints_.end()) {
    return own->second.conversation;
  }
  if (const auto* tree = tree_signature(it)) {
    const auto signer = by_cid_.find(tree->checkpoint);
    if (signer != by_cid_.end() && checkpoints_.contains(signer->second)) {
      return checkpoints_.at(signer->second).conversation;
    }
  }
  return std::nullopt;
}

std::optional<Cid> ImportGrouping::own_conversation(std::size_t index,
                                                    const CreatorOf& creator_of) const {
  std::optional<Cid> conversation = named_conversation(index);
  if (!conversation) return std::nullopt;
  const auto here = by_cid_.find(*conversation);
  const std::optional<Cid> creator =
      here != by_cid_.end() ? thought(here->second).created_by : creator_of(*conversation);
  return creator == thought(index).created_by ? conversation : std::nullopt;
}

void ImportGrouping::find_holders(const CreatorOf& creator_of) {
  std::vector<std::optional<Cid>> own(thoughts_->size());
  for (std::size_t i = 0; i < thoughts_->size(); ++i) {
    own[i] = own_conversation(i, creator_of);
    if (!own[i] || groups_.contains(*own[i])) continue;
    // One without turns is only pointed at; one whose own thought is nowhere is no conversation
    // yet. What names it is stored.
    if (thought::kind_of(thought(i).type) == "turn" || creator_of(*own[i])) groups_[*own[i]];
  }
  std::vector<Held> pending;
  for (std::size_t i = 0; i < thoughts_->size(); ++i) {
    if (own[i] && groups_.contains(*own[i])) hold(i, *own[i], pending);
  }
  follow(pending);
  for (std::size_t i = 0; i < thoughts_->size(); ++i) {
    if (holders_[i].empty() && !named_conversation(i)) hold_loose(i, pending);
  }
}

void ImportGrouping::follow(std::vector<Held>& pending) {
  while (!pending.empty()) {
    const Held held = pending.back();
    pending.pop_back();
    hold_spoken_of(held, pending);
  }
}

// Nothing refers to it: it belongs to the conversations in which its creator speaks.
void ImportGrouping::hold_loose(std::size_t index, std::vector<Held>& pending) {
  const auto creator = by_cid_.find(thought(index).created_by);
  for (const auto& [conversation, group] : groups_) {
    if (creator == by_cid_.end()) break;
    const std::vector<Cid>& spoken_in = holders_[creator->second];
    const bool speaks = std::ranges::find(spoken_in, conversation) != spoken_in.end();
    if (speaks) hold(index, conversation, pending);
  }
  follow(pending);
}

void ImportGrouping::hold(std::size_t index, const Cid& conversation, std::vector<Held>& pending) {
  std::vector<Cid>& holders = holders_[index];
  if (std::ranges::find(holders, conversation) != holders.end()) return;
  holders.push_back(conversation);
  pending.push_back({index, conversation});
}

void ImportGrouping::hold_spoken_of(const Held& held, std::vector<Held>& pending) {
  const auto hold_named = [&](const Cid& cid, bool contained) {
    const auto found = by_cid_.find(cid);
    if (found == by_cid_.end()) return;
    if (!contained && (placed_.contains(cid) || is_structure(thought(found->second)))) return;
    hold(found->second, held.conversation, pending);
  };
  const thought::Thought& it = thought(held.index);
  hold_named(it.created_by, false);
  if (it.source) hold_named(*it.source, false);
  for (const thought::ContentRef& ref : it.because) hold_named(ref.thought, false);
  if (const auto edge = connections_.find(held.index); edge != connections_.end()) {
    hold_named(edge->second.from, false);
    hold_named(edge->second.to, edge->second.relation == "contains");
  }
}

void ImportGrouping::find_groups() {
  for (std::size_t i = 0; i < thoughts_->size(); ++i) {
    for (const Cid& conversation : holders_[i]) {
      Group& group = groups_[conversation];
      group.members.push_back(i);
      const auto own = checkpoints_.find(i);
      if (own != checkpoints_.end() && own->second.conversation == conversation) {
        group.checkpoints.push_back(i);
      }
      if (thought::kind_of(thought(i).type) == "conversation_facts") group.facts.push_back(i);
    }
  }
  for (auto& [conversation, group] : groups_) order_chain(group.checkpoints);
}

void ImportGrouping::order_chain(std::vector<std::size_t>& checkpoints) const {
  std::unordered_map<Cid, std::vector<std::size_t>> after;
  for (const std::size_t index : checkpoints) after[thought(index).cid];
  std::vector<std::size_t> pending, ordered;
  for (auto at = checkpoints.rbegin(); at != checkpoints.rend(); ++at) {
    const std::optional<Cid>& previous = checkpoint(*at).previous;
    const bool follows = previous && after.contains(*previous);
    (follows ? after[*previous] : pending).push_back(*at);
  }
  while (!pending.empty()) {
    const std::size_t next = pending.back();
    pending.pop_back();
    ordered.push_back(next);
    const std::vector<std::size_t>& followers = after[thought(next).cid];
    pending.insert(pending.end(), followers.begin(), followers.end());
  }
  checkpoints = std::move(ordered);
}

void ImportGrouping::add(Addition& addition, std::size_t index) const {
  if (const auto edge = connections_.find(index); edge != connections_.end()) {
    addition.edges.push_back({thought(index).cid, &edge->second});
    return;
  }
  addition.thoughts.push_back(&thought(index));
  addition.bodies.push_back(bodies_[index]);
}

std::vector<Addition> ImportGrouping::additions() const {
  std::vector<Addition> additions;
  std::unordered_set<std::size_t> signed_apart;  // by a whole tree, or a checkpoint itself
  const auto add_checkpoint = [&](std::size_t index, const std::optional<Cid>& conversation) {
    const Cid& cid = thought(index).cid;
    Addition& addition =
        additions.emplace_back(Addition{.conversation = conversation,
                                        .checkpoint = cid,
                                        .checked = checkpoint(index).conversation});
    add(addition, index);
    signed_apart.insert(index);
    const auto tree = trees_.find(cid);
    if (tree == trees_.end() || tree->second.leaves.empty()) return;
    addition.leaves = tree->second.leaves;
    for (const Cid& leaf : addition.leaves) {
      add(addition, by_cid_.at(leaf));
      signed_apart.insert(by_cid_.at(leaf));
    }
  };
  // Everything else comes first: it brings the conversation's own thought.
  for (const auto& [conversation, group] : groups_) {
    const std::size_t first = additions.size();
    additions.emplace_back(Addition{.conversation = conversation});
    for (const std::size_t index : group.checkpoints) add_checkpoint(index, conversation);
    for (const std::size_t index : group.members) {
      if (!signed_apart.contains(index)) add(additions[first], index);
    }
  }
  Addition rest;
  for (std::size_t i = 0; i < thoughts_->size(); ++i) {
    const bool logged = signed_apart.contains(i) || !checkpoints_.contains(i);
    if (!logged) add_checkpoint(i, std::nullopt);
    else if (holders_[i].empty() && !signed_apart.contains(i)) add(rest, i);
  }
  additions.push_back(std::move(rest));
  return additions;
}

}  // namespace weft::store::sql
