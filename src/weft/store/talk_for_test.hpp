// Conversations woven by hand, for tests of stores: small, complete and well signed, and
// with none of the weaver's own rules.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "weft/crypto/blake3.hpp"
#include "weft/store/store.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/tree.hpp"

namespace weft::store {

// Who speaks: an identity and its key, the same for the same name.
struct Speaker {
  crypto::SigningKey key;
  thought::Thought identity;
};

inline void sign(thought::Thought& thought, const crypto::SigningKey& key) {
  thought.signature = key.sign(crypto::bytes_of(thought.cid.digest()));
}

inline Speaker speaker(const std::string& name) {
  Speaker made{crypto::SigningKey(crypto::derive_key("weft store tests 2026 speaker", {name})), {}};
  made.identity.type = "identity";
  made.identity.content = {
      {"kind", "human"}, {"name", name}, {"pubkey", made.key.public_key().str()}};
  made.identity.created_at = 1000;
  made.identity.cid = thought::cid_of(made.identity);
  made.identity.created_by = made.identity.cid;
  sign(made.identity, made.key);
  return made;
}

// A conversation under way. Each block is said because of the one before it.
class Talk {
 public:
  explicit Talk(std::string session, const std::string& owner = "ada")
      : session_(std::move(session)), owner_(speaker(owner)) {
    thought::Thought conversation = made("test/conversation");
    conversation.content = {{"format", "test"}, {"session_id", session_}, {"source", "primary"}};
    conversation_ = finish(conversation);
    thought::Thought schema = made("schema");
    schema.content = {{"name", "schema/test_conversation"}};
    keep(owner_.identity);
    finish(schema);
    keep(schema);
    keep(conversation);
  }

  const Cid& cid() const { return conversation_; }
  const Cid& owner() const { return owner_.identity.cid; }
  transcript::Heading heading() const { return {.format = "test", .session_id = session_}; }

  // Checkpoints are made as an older weft made them: they cover only the structure that is new.
  void uses_version_1() { version_ = 1; }

  // What comes next is said later, and so is another thought.
  void wait(Millis time) { clock_ += time; }

  void turn(std::optional<std::string> role = {}) {
    thought::Thought turn = made("test/turn");
    turn.content = {{"conversation", conversation_.str()}, {"sequence", turns_}};
    if (role) turn.content["role"] = *role;
    turn.cid = thought::cid_of(turn);
    turn_ = turn.cid;
    unit_.thoughts.push_back(turn);
    unit_.leaves.push_back(turn.cid);
    connect("contains", conversation_, turn_, turns_++);
    blocks_in_turn_ = 0;
  }

  // A block in the turn that is open; the first opens one.
  Cid says(const std::string& text) {
    thought::Thought block = made("test/response");
    block.content = {{"text", text}};
    if (last_) block.because = {{.thought = *last_}};
    return stands(std::move(block));
  }
  // Reasoning, sealed: its boxes are not ours to open.
  Cid thinks(const std::string& sealed) {
    thought::Thought block = made("test/thinking");
    block.layers.metadata = crypto::Box{"0123456789abcdef", "m" + sealed};
    block.layers.content = crypto::Box{"fedcba9876543210", sealed};
    if (last_) block.because = {{.thought = *last_}};
    return stands(std::move(block));
  }
  // Any block, as it is but for name, creator and signature.
  Cid stands(thought::Thought block) {
    if (turns_ == 0) turn();
    const Cid cid = finish(block);
    keep(block);
    return shares(cid);
  }
  // A block that is in the web already gets a place here too.
  Cid shares(const Cid& block) {
    if (turns_ == 0) turn();
    connect("contains", turn_, block, blocks_in_turn_++);
    if (last_) connect("causes", *last_, block);
    unit_.places.push_back({key(places_++), block});
    ++blocks_;
    head_ = thought::next_head(head_, block);
    return *(last_ = block);
  }
  // The block stands in the next commit although the store may have it.
  void brings(const thought::Thought& thought) { keep(thought); }
  // So does an edge.
  void brings(thought::Connection edge) {
    edge.signature = {};
    if (version_ > 1) unit_.leaves.push_back(thought::cid_of(edge));
    unit_.connections.push_back(std::move(edge));
  }
  // A place holds another thought from now on.
  void restates(std::uint64_t place, const Cid& block) {
    unit_.places.push_back({key(place), block});
  }
  Cid facts(const std::string& title) {
    thought::Thought facts = made("test/conversation_facts");
    facts.content = {{"title", title}};
    facts.because = {{.thought = conversation_}};
    const Cid cid = finish(facts);
    keep(facts);
    return cid;
  }
  Cid connect(std::string_view relation, const Cid& from, const Cid& to,
              std::optional<std::uint64_t> index = {}, std::optional<std::string> label = {}) {
    thought::Connection edge{.relation = std::string(relation),
                             .from = from,
                             .to = to,
                             .label = std::move(label),
                             .index = index,
                             .created_by = owner(),
                             .created_at = clock_};
    const Cid cid = thought::cid_of(edge);
    if (!edges_.insert(cid).second) return cid;
    unit_.leaves.push_back(cid);
    unit_.connections.push_back(std::move(edge));
    return cid;
  }
  // An edge that its creator signs alone.
  Cid connect_signed(std::string_view relation, const Cid& from, const Cid& to) {
    thought::Connection edge{
        .relation = std::string(relation), .from = from, .to = to, .created_by = owner()};
    const Cid cid = thought::cid_of(edge);
    edge.signature = owner_.key.sign(crypto::bytes_of(cid.digest()));
    unit_.connections.push_back(std::move(edge));
    return cid;
  }

  static weave::PlaceKey key(std::uint64_t place) {
    weave::PlaceKey key{};
    key[0] = static_cast<std::uint8_t>(place);
    key[1] = static_cast<std::uint8_t>(place >> 8);
    return key;
  }

  // What was said since the last call, closed by a checkpoint.
  weave::CommitUnit take() {
    unit_.conversation = conversation_;
    unit_.previous = checkpoint_;
    if (version_ > 1) cover_all(unit_);
    if (!unit_.leaves.empty()) {
      thought::Thought checkpoint = made(std::string(thought::kCheckpointType));
      checkpoint.content =
          to_content(thought::Checkpoint{.conversation = conversation_,
                                         .previous = checkpoint_,
                                         .leaves = unit_.leaves.size(),
                                         .root = thought::Tree(unit_.leaves).root(),
                                         .blocks = blocks_,
                                         .head = head_,
                                         .version = version_});
      unit_.checkpoint = checkpoint_ = finish(checkpoint);
      if (version_ > 1) sign_by_tree(unit_);
      else sign_leaves();
      keep(checkpoint);
    }
    kept_.clear();
    return std::exchange(unit_, {});
  }
  Batch batch() {
    Batch batch;
    batch.units.push_back(take());
    return batch;
  }
  const std::optional<Cid>& checkpoint() const { return checkpoint_; }

 private:
  // As sign_by_tree(), where edges that are brought are no leaves.
  void sign_leaves() {
    const auto sign_one = [&](const Cid& cid, thought::Signature& signature) {
      const auto leaf = std::ranges::find(unit_.leaves, cid);
      if (leaf == unit_.leaves.end()) return;
      signature =
          thought::TreeSignature{.checkpoint = *checkpoint_,
                                 .index = static_cast<std::uint64_t>(leaf - unit_.leaves.begin()),
                                 .path = {}};
    };
    for (thought::Thought& thought : unit_.thoughts) sign_one(thought.cid, thought.signature);
    for (thought::Connection& edge : unit_.connections) {
      sign_one(thought::cid_of(edge), edge.signature);
    }
  }
  thought::Thought made(std::string type) {
    thought::Thought thought;
    thought.type = std::move(type);
    thought.created_by = owner();
    thought.created_at = clock_++;
    return thought;
  }
  Cid finish(thought::Thought& thought) {
    thought.created_by = owner();
    thought.cid = thought::cid_of(thought);
    sign(thought, owner_.key);
    return thought.cid;
  }
  void keep(const thought::Thought& thought) {
    if (kept_.insert(thought.cid).second) unit_.thoughts.push_back(thought);
  }

  std::string session_;
  Speaker owner_;
  Cid conversation_, turn_;
  Millis clock_ = 1'700'000'000'000;
  std::uint64_t turns_ = 0, blocks_in_turn_ = 0, places_ = 0, blocks_ = 0;
  std::uint64_t version_ = thought::kCheckpointVersion;
  std::optional<Cid> last_, checkpoint_;
  Digest head_{};
  std::unordered_set<Cid> kept_, edges_;
  weave::CommitUnit unit_;
};

inline std::vector<thought::Thought> all_of(const Store& store, const Cid& conversation) {
  std::vector<thought::Thought> all;
  const Status status = store.each_of(conversation, [&](thought::Thought thought) {
    all.push_back(std::move(thought));
    return true;
  });
  EXPECT_TRUE(status) << status.error().message;
  return all;
}

// As get() returns it.
inline thought::Thought without_covers(thought::Thought thought) {
  thought.covered.clear();
  return thought;
}

inline std::vector<std::string> types_of(const std::vector<thought::Thought>& thoughts) {
  std::vector<std::string> types;
  types.reserve(thoughts.size());
  for (const thought::Thought& thought : thoughts) types.push_back(thought.type);
  return types;
}

}  // namespace weft::store
