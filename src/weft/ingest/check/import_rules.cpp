#include "weft/ingest/check/import_rules.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/thought/tree.hpp"

namespace weft::ingest {

using thought::Checkpoint;
using thought::Connection;
using thought::Subject;
using thought::Thought;
using thought::TreeSignature;

void ImportRules::learn(const Thought& thought) {
  const std::string_view kind = thought::kind_of(thought.type);
  if (kind == "conversation" || kind == "turn") {
    Thought head;
    head.cid = thought.cid;
    head.type = thought.type;
    head.created_by = thought.created_by;
    if (const json::value* named = find_member(thought.content, "conversation")) {
      head.content["conversation"] = *named;
    }
    heads_.insert_or_assign(thought.cid, std::move(head));
  } else if (thought.type == thought::kConnectionType) {
    const Result<Connection> edge = thought::to_connection(thought);
    if (edge && edge->relation == "contains") {
      std::vector<Cid>& placers = placers_[edge->to];
      const bool is_known = std::ranges::find(placers, edge->created_by) != placers.end();
      if (!is_known) placers.push_back(edge->created_by);
    }
  } else if (Result<Checkpoint> content = thought::to_checkpoint(thought)) {
    signers_.insert_or_assign(thought.cid, Signer{*std::move(content), thought.created_by});
  }
}

Result<std::string> ImportRules::check(const Thought& thought) {
  for (const Subject& subject : thought::subjects_of(thought)) {
    WEFT_TRY_VALUE(auto reason, check_subject(subject, thought.created_by));
    if (!reason.empty()) return reason;
  }
  const auto* signature = std::get_if<TreeSignature>(&thought.signature);
  if (signature == nullptr) return std::string();
  const Result<Connection> edge = thought::to_connection(thought);
  if (edge && edge->relation == "contains") {
    WEFT_TRY_VALUE(auto reason, check_container(*edge));
    if (!reason.empty()) return reason;
    if (thought::kind_of(heads_.contains(edge->from) ? heads_.at(edge->from).type : "") ==
        "conversation") {
      with_turns_.insert(edge->from);
    }
  }
  WEFT_TRY_VALUE(const bool is_elsewhere, is_signed_elsewhere(thought, *signature));
  if (!is_elsewhere) note_leaf(thought, *signature);
  return std::string();
}

Result<std::string> ImportRules::check_subject(const Subject& subject, const Cid& creator) {
  if (subject.kind == Subject::Kind::block) return check_block(subject.cid, creator);
  WEFT_TRY_VALUE(const auto head, find_head(subject.cid));
  if (!head || head->created_by == creator) return std::string();
  const std::string_view kind = thought::kind_of(head->type);
  return "it is about " + std::string(kind) + " " + subject.cid.brief() +
         " of somebody else: only the creator of a conversation adds to it";
}

// A block may stand in conversations of several creators; each says what holds in its own.
Result<std::string> ImportRules::check_block(const Cid& block, const Cid& creator) const {
  const auto here = placers_.find(block);
  const bool is_placed_here = here != placers_.end();
  if (is_placed_here && std::ranges::find(here->second, creator) != here->second.end()) {
    return std::string();
  }
  WEFT_TRY_VALUE(const auto own,
                 store_.neighbours_by(creator, block, "contains", store::Direction::to));
  if (!own.empty()) return std::string();
  WEFT_TRY_VALUE(const auto all, store_.neighbours(block, "contains", store::Direction::to));
  if (all.empty() && !is_placed_here) return std::string();
  return "it is about block " + block.brief() +
         " in a conversation of somebody else: only the creator of a conversation adds to it";
}

Result<std::string> ImportRules::check_container(const Connection& edge) const {
  WEFT_TRY_VALUE(const auto from, find_head(edge.from));
  std::optional<Thought> to;
  if (!is_block_(edge.to)) {
    WEFT_TRY_VALUE(to, find_head(edge.to));
  }
  if (!to) to = Thought();
  if (from && thought::may_contain(*from, *to)) return std::string();
  return std::string(
      "it leads neither from a conversation to one of its turns nor from a turn to "
      "a block");
}

Result<std::optional<Thought>> ImportRules::find_head(const Cid& cid) const {
  if (const auto here = heads_.find(cid); here != heads_.end()) return here->second;
  Result<Thought> stored = store_.get_without_path(cid);
  if (stored) return *std::move(stored);
  if (stored.error().code == ErrorCode::not_found) return std::nullopt;
  return fail(std::move(stored).error());
}

Result<bool> ImportRules::is_signed_elsewhere(const Thought& thought,
                                              const TreeSignature& signature) const {
  const auto signer = signers_.find(signature.checkpoint);
  if (signer != signers_.end() && signer->second.content.version >= 2) return false;
  WEFT_TRY_VALUE(const bool is_stored, store_.has(thought.cid));
  if (!is_stored) return false;
  WEFT_TRY_VALUE(const auto stored, store_.get_without_path(thought.cid));
  const auto* other = std::get_if<TreeSignature>(&stored.signature);
  if (other == nullptr || other->checkpoint == signature.checkpoint) return other == nullptr;
  WEFT_TRY_VALUE(const bool is_leaving, is_replaced(other->checkpoint));
  return !is_leaving;
}

void ImportRules::note_leaf(const Thought& thought, const TreeSignature& signature) {
  Tree& tree = trees_[signature.checkpoint];
  tree.leaves.insert(signature.index);
  const Result<Connection> edge = thought::to_connection(thought);
  if (!edge || edge->relation != "contains") return;
  const auto signer = signers_.find(signature.checkpoint);
  const bool is_turn =
      signer != signers_.end() && signer->second.content.conversation == edge->from;
  if (!is_turn) tree.places.emplace_back(signature.index, edge->to);
}

Status ImportRules::check_chains() {
  std::map<std::pair<Cid, Cid>, std::vector<Cid>> by_conversation;  // and its creator
  for (const auto& [cid, signer] : signers_) {
    WEFT_TRY_VALUE(const auto head, find_head(signer.content.conversation));
    // Others' form no chain; check() refuses them.
    if (!head || head->created_by != signer.creator) continue;
    by_conversation[{signer.content.conversation, signer.creator}].push_back(cid);
  }
  for (const auto& [conversation, checkpoints] : by_conversation) {
    WEFT_TRY(check_chain(conversation.first, conversation.second, checkpoints));
  }
  return {};
}

Status ImportRules::check_chain(const Cid& conversation, const Cid& creator,
                                const std::vector<Cid>& checkpoints) {
  WEFT_TRY_VALUE(auto end, find_end(conversation));
  // One without turns, here and in the store, only signs something of another conversation.
  if (!end && !with_turns_.contains(conversation) && !is_owner_(creator)) return {};
  std::map<std::optional<Cid>, std::vector<Cid>> after;  // by previous
  for (const Cid& cid : checkpoints) {
    bool is_stored = false;
    if (end) {
      WEFT_TRY_VALUE(is_stored, store_.has(cid));
    }
    if (is_stored) continue;
    broken_[cid] =
        "it does not continue the chain of checkpoints of conversation " + conversation.brief();
    after[signers_.at(cid).content.previous].push_back(cid);
  }
  ChainEnd at = end.value_or(ChainEnd());
  for (auto next = after.find(at.checkpoint); next != after.end();
       next = after.find(at.checkpoint)) {
    const std::vector<Cid> followers = next->second;
    after.erase(next);
    if (followers.size() > 1) {
      for (const Cid& cid : followers) broken_[cid] = "two checkpoints follow the same one";
      break;
    }
    std::string reason = extend(at, followers.front());
    if (!reason.empty()) {
      broken_[followers.front()] = std::move(reason);
      break;
    }
    broken_.erase(followers.front());
  }
  return {};
}

Result<bool> ImportRules::is_replaced(const Cid& checkpoint) const {
  if (!replaced_) return false;
  const Result<Thought> thought = store_.get_without_path(checkpoint);
  if (!thought && thought.error().code == ErrorCode::not_found) return false;
  if (!thought) return fail(Error(thought.error()));
  const Result<Checkpoint> content = thought::to_checkpoint(*thought);
  return content && content->conversation == replaced_;
}

Result<std::optional<ImportRules::ChainEnd>> ImportRules::find_end(const Cid& conversation) const {
  if (conversation == replaced_) return std::nullopt;
  const Result<store::ConversationRow> row = store_.conversation(conversation);
  if (!row && row.error().code == ErrorCode::not_found) return std::nullopt;
  if (!row) return fail(Error(row.error()));
  ChainEnd end{.checkpoint = row->checkpoint};
  if (!row->checkpoint) return end;
  WEFT_TRY_VALUE(const auto thought, store_.get_without_path(*row->checkpoint));
  WEFT_TRY_VALUE(const auto content, thought::to_checkpoint(thought));
  end.blocks = content.blocks;
  end.head = content.head;
  return end;
}

std::string ImportRules::extend(ChainEnd& end, const Cid& checkpoint) {
  const Checkpoint& content = signers_.at(checkpoint).content;
  Tree& tree = trees_[checkpoint];
  if (tree.leaves.size() != content.leaves) {
    return "it signs " + std::to_string(content.leaves) + " thoughts, of which the file has " +
           std::to_string(tree.leaves.size()) + " that can be imported";
  }
  std::ranges::sort(tree.places);
  for (const auto& [leaf, block] : tree.places) {
    end.head = thought::next_head(end.head, block);
    ++end.blocks;
  }
  if (content.blocks != end.blocks || content.head != end.head) {
    return "its head does not hold: a block of its conversation was removed, moved or added";
  }
  end.checkpoint = checkpoint;
  return "";
}

std::string ImportRules::find_broken(const Cid& thought, const Cid* signer) const {
  if (const auto own = broken_.find(thought); own != broken_.end()) return own->second;
  const auto found = signer == nullptr ? broken_.end() : broken_.find(*signer);
  if (found == broken_.end()) return "";
  return "the checkpoint that signs it is refused: " + found->second;
}

}  // namespace weft::ingest
