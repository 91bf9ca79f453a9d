// Closes a commit: the thoughts woven for a conversation, its facts, its requests and a checkpoint.
#include "weft/thought/attestation.hpp"
#include "weft/thought/facts.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tree.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {

std::optional<CommitUnit> ConversationWeaver::take(Millis now) {
  if (!conversation_) return std::nullopt;
  unit_.conversation = *conversation_;
  unit_.previous = last_checkpoint_;
  std::optional<thought::Thought> facts = facts_thought(now);
  if (facts) add(*std::move(facts), &identities_.owner_key());
  std::optional<thought::Thought> usage = usage_thought(now);
  if (usage) add(*std::move(usage), &identities_.owner_key());
  if (heard_ && !said_.empty()) {
    add(thought::make_witness(std::exchange(said_, {}), *std::move(heard_), identities_.owner().cid,
                              now, identities_.keyring()),
        &identities_.owner_key());
  }
  said_.clear();
  heard_.reset();
  cover_all(unit_);
  const bool nothing = unit_.leaves.empty() && unit_.places.empty() && unit_.marks.empty() &&
                       unit_.waits.empty() && unit_.unmarked.empty() && unit_.met.empty();
  if (nothing) return std::nullopt;
  if (!unit_.leaves.empty()) {
    thought::Thought checkpoint = checkpoint_thought(now);
    unit_.checkpoint = checkpoint.cid;
    last_checkpoint_ = checkpoint.cid;
    sign_by_tree(unit_);
    add(std::move(checkpoint), &identities_.owner_key());
  }
  CommitUnit done = std::move(unit_);
  unit_ = {};
  in_unit_.clear();
  new_places_.clear();
  new_responses_.clear();
  pending_bytes_ = 0;
  committed_before_ = true;
  return done;
}

std::optional<thought::Thought> ConversationWeaver::facts_thought(Millis now) {
  thought::KnownFacts known{facts_, models_};
  if (latest_) known.facts.updated_at = std::max(facts_.updated_at.value_or(*latest_), *latest_);
  json::object content = to_content(known);
  // An older copy of a conversation adds no facts.
  const Millis before = find_int(last_facts_, "updated_at").value_or(0);
  if (content == last_facts_ || known.facts.updated_at.value_or(before) < before)
    return std::nullopt;
  thought::Thought thought;
  thought.type = heading_.family + "/conversation_facts";
  thought.created_by = identities_.owner().cid;
  thought.created_at = now;
  thought.because = {{.thought = *conversation_}};
  last_facts_ = content;
  // A title that was sealed stays sealed.
  const crypto::Keyring& keyring = identities_.keyring();
  set_content(thought, std::move(content), keyring,
              are_facts_sealed_ ? crypto::SealMode::all : keyring.seal_mode());
  thought.cid = cid_of(thought);
  return thought;
}

thought::Thought ConversationWeaver::checkpoint_thought(Millis now) {
  thought::Thought thought;
  thought.type = thought::kCheckpointType;
  thought.created_by = identities_.owner().cid;
  thought.created_at = now;
  thought.content = to_content(thought::Checkpoint{.conversation = *conversation_,
                                                   .previous = last_checkpoint_,
                                                   .leaves = unit_.leaves.size(),
                                                   .root = thought::Tree(unit_.leaves).root(),
                                                   .blocks = blocks_,
                                                   .head = head_});
  thought.cid = cid_of(thought);
  return thought;
}

}  // namespace weft::weave
