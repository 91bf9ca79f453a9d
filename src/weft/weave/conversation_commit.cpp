// Closing a commit: what was woven of a conversation, with its facts and a checkpoint.
#include "weft/thought/facts.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tree.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::thought {

std::optional<Woven> ConversationWeaver::take(Millis now) {
  if (!conversation_) return std::nullopt;
  woven_.conversation = *conversation_;
  woven_.previous = last_checkpoint_;
  std::optional<Thought> facts = facts_thought(now);
  if (!facts && woven_.leaves.empty()) {
    const bool nothing = woven_.thoughts.empty() && woven_.connections.empty() &&
                         woven_.marks.empty() && woven_.waits.empty();
    if (nothing) return std::nullopt;
  }
  if (facts) add(*std::move(facts), &cast_.owner_key());
  if (!woven_.leaves.empty()) {
    Thought checkpoint = checkpoint_thought(now);
    woven_.checkpoint = checkpoint.cid;
    last_checkpoint_ = checkpoint.cid;
    sign_by_tree(woven_);
    add(std::move(checkpoint), &cast_.owner_key());
  }
  Woven done = std::move(woven_);
  woven_ = {};
  in_woven_.clear();
  new_places_.clear();
  pending_bytes_ = 0;
  committed_before_ = true;
  return done;
}

std::optional<Thought> ConversationWeaver::facts_thought(Millis now) {
  KnownFacts known{facts_, models_};
  if (latest_) known.facts.updated_at = std::max(facts_.updated_at.value_or(*latest_), *latest_);
  json::object content = to_content(known);
  // An older copy of a conversation says nothing new about it.
  const Millis before = find_int(last_facts_, "updated_at").value_or(0);
  if (content == last_facts_ || known.facts.updated_at.value_or(before) < before)
    return std::nullopt;
  Thought thought;
  thought.type = heading_.family + "/conversation_facts";
  thought.created_by = cast_.owner().cid;
  thought.created_at = now;
  thought.because = {{.thought = *conversation_}};
  last_facts_ = content;
  set_content(thought, std::move(content), cast_.keyring());
  thought.cid = cid_of(thought);
  return thought;
}

Thought ConversationWeaver::checkpoint_thought(Millis now) {
  Thought thought;
  thought.type = kCheckpointType;
  thought.created_by = cast_.owner().cid;
  thought.created_at = now;
  thought.content = to_content(Checkpoint{.conversation = *conversation_,
                                          .previous = last_checkpoint_,
                                          .leaves = woven_.leaves.size(),
                                          .root = Tree(woven_.leaves).root(),
                                          .blocks = blocks_,
                                          .head = head_});
  thought.cid = cid_of(thought);
  return thought;
}

}  // namespace weft::thought
