// A stranger who says things about somebody else's conversation: well signed, and not the owner's.
//
//   Stranger eve;
//   eve.places(eve.turn(talk, 99), eve.says("INJECTED"));
//   store.writer().import(eve.commit(talk), {});
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/store/talk_for_test.hpp"

namespace weft::store {

class Stranger {
 public:
  // Later than anything that the owner says.
  static constexpr Millis kAt = 1'900'000'000'000;

  explicit Stranger(const std::string& name = "eve") : self_(speaker(name)) {
    self_.identity.content["provenance"] = "verified";
    self_.identity.cid = thought::cid_of(self_.identity);
    self_.identity.created_by = self_.identity.cid;
    sign(self_.identity, self_.key);
    thoughts_.push_back(self_.identity);
  }

  const Cid& cid() const { return self_.identity.cid; }
  std::string key() const { return self_.key.public_key().str(); }

  // A thought with a signature of its own.
  Cid adds(std::string type, json::object content, std::vector<Cid> because = {},
           std::optional<crypto::Box> sealed = {}) {
    thought::Thought thought = made(std::move(type), std::move(content));
    for (const Cid& cause : because) thought.because.push_back({.thought = cause});
    thought.layers.content = std::move(sealed);
    thought.cid = thought::cid_of(thought);
    sign(thought, self_.key);
    thoughts_.push_back(thought);
    return thought.cid;
  }
  Cid says(const std::string& text) { return adds("anthropic/response", {{"text", text}}); }
  Cid facts(const Cid& conversation, const std::string& title) {
    return adds("anthropic/conversation_facts", {{"title", title}, {"updated_at", kAt}},
                {conversation});
  }
  Cid conversation(const std::string& session, const std::string& source = "primary",
                   const std::string& format = "test") {
    return adds("anthropic/conversation",
                {{"format", format}, {"session_id", session}, {"source", source}});
  }

  // Structure: leaves of the next checkpoint.
  Cid turn(const Cid& conversation, std::uint64_t sequence, const std::string& role = "human",
           std::optional<Cid> parent = {}) {
    json::object content{
        {"conversation", conversation.str()}, {"role", role}, {"sequence", sequence}};
    if (parent) content["parent"] = parent->str();
    thought::Thought turn = made("anthropic/turn", std::move(content));
    turn.cid = thought::cid_of(turn);
    leaves_.push_back(turn);
    connects("contains", conversation, turn.cid, sequence);
    return turn.cid;
  }
  Cid places(const Cid& turn, const Cid& block, std::uint64_t index = 0) {
    ++blocks_;
    head_ = thought::next_head(head_, block);
    return connects("contains", turn, block, index);
  }
  Cid connects(std::string_view relation, const Cid& from, const Cid& to,
               std::optional<std::uint64_t> index = {}) {
    const thought::Connection edge{.relation = std::string(relation),
                                   .from = from,
                                   .to = to,
                                   .index = index,
                                   .created_by = cid(),
                                   .created_at = kAt};
    leaves_.push_back(thought::to_thought(edge));
    leaves_.back().cid = thought::cid_of(edge);
    return leaves_.back().cid;
  }

  // Closes everything so far with a checkpoint of that conversation; all that was said.
  std::vector<thought::Thought> commit(const Cid& conversation, std::optional<Cid> previous = {}) {
    std::vector<Cid> names;
    for (const thought::Thought& leaf : leaves_) names.push_back(leaf.cid);
    checkpoint_ = adds(std::string(thought::kCheckpointType),
                       to_content(thought::Checkpoint{.conversation = conversation,
                                                      .previous = previous,
                                                      .leaves = names.size(),
                                                      .root = thought::Tree(names).root(),
                                                      .blocks = blocks_,
                                                      .head = head_}));
    const thought::Tree tree(names);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      leaves_[i].signature =
          thought::TreeSignature{.checkpoint = checkpoint_, .index = i, .path = tree.path(i)};
      thoughts_.push_back(std::move(leaves_[i]));
    }
    leaves_.clear();
    return thoughts_;
  }
  const Cid& checkpoint() const { return checkpoint_; }
  // Nothing but what has a signature of its own.
  const std::vector<thought::Thought>& said() const { return thoughts_; }

 private:
  thought::Thought made(std::string type, json::object content) {
    thought::Thought thought;
    thought.type = std::move(type);
    thought.content = std::move(content);
    thought.created_by = cid();
    thought.created_at = kAt;
    return thought;
  }

  Speaker self_;
  std::vector<thought::Thought> thoughts_, leaves_;
  std::uint64_t blocks_ = 0;
  Digest head_{};
  Cid checkpoint_;
};

}  // namespace weft::store
