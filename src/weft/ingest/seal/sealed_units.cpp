#include "weft/ingest/seal/sealed_units.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/tree.hpp"

namespace weft::ingest {
namespace {

using thought::Connection;
using thought::Thought;

// The key of an identity that this keyring speaks for; empty for anybody else's.
Result<std::optional<crypto::SigningKey>> key_of(const crypto::Keyring& keyring,
                                                 const store::Store& store, const Cid& identity) {
  WEFT_TRY_VALUE(const Thought thought, store.get_without_path(identity));
  const std::optional<std::string_view> pubkey = find_string(thought.content, "pubkey");
  if (pubkey == keyring.owner_key().str()) return keyring.owner_signing_key();
  crypto::SigningKey key = keyring.custodial_key(thought::identity_facts(thought.content));
  if (pubkey != key.public_key().str()) return std::nullopt;
  return key;
}

class UnitBuilder {
 public:
  UnitBuilder(const store::Store& store, const crypto::Keyring& keyring, const SealPlan& plan,
              const std::map<Cid, Thought>& sealed, Millis now)
      : store_(store),
        keyring_(keyring),
        plan_(plan),
        sealed_(sealed),
        now_(now),
        owner_(thought::owner_identity(keyring).cid) {}

  Result<std::vector<weave::CommitUnit>> build() {
    for (const SealPlan::Item& item : plan_.items) WEFT_TRY(add_sealed(item));
    for (const SealPlan::Item& item : plan_.items) WEFT_TRY(add_edges(item));
    std::vector<weave::CommitUnit> units;
    for (auto& [conversation, part] : parts_) {
      WEFT_TRY(close(conversation, part));
      weave::sign(part.unit);
      units.push_back(std::move(part.unit));
    }
    return units;
  }

 private:
  struct Part {
    weave::CommitUnit unit{};
    std::unordered_set<Cid> names{};  // of its edges
  };

  Status add_sealed(const SealPlan::Item& item) {
    const Thought& sealed = sealed_.at(item.clear.cid);
    WEFT_TRY_VALUE(const auto* key, signing_key(sealed.created_by));
    for (const Cid& conversation : item.conversations) {
      Part& part = parts_[conversation];
      part.unit.thoughts.push_back(sealed);
      part.unit.signers.push_back(key);
    }
    return {};
  }

  // Edges of others are not ours to make again, and say nothing in our conversations.
  Status add_edges(const SealPlan::Item& item) {
    const Cid& clear = item.clear.cid;
    WEFT_TRY_VALUE(const auto edges,
                   store_.connections(clear, std::nullopt, store::Direction::both));
    for (const Connection& edge : edges) {
      if (edge.created_by != owner_ || !thought::is_structure(edge)) continue;
      WEFT_TRY_VALUE(const auto holders, store_.forgetting().holders(cid_of(edge)));
      Connection copy = edge;
      copy.from = standing_for(edge.from);
      copy.to = standing_for(edge.to);
      for (const Cid& holder : holders) WEFT_TRY(add_edge(holder, copy));
    }
    const Connection supersedes{.relation = "supersedes",
                                .from = sealed_.at(clear).cid,
                                .to = clear,
                                .created_by = owner_,
                                .created_at = item.clear.created_at};
    for (const Cid& holder : item.conversations) WEFT_TRY(add_edge(holder, supersedes));
    return {};
  }

  Cid standing_for(const Cid& cid) const {
    const auto sealed = sealed_.find(cid);
    return sealed == sealed_.end() ? cid : sealed->second.cid;
  }

  Status add_edge(const Cid& conversation, const Connection& edge) {
    WEFT_TRY_VALUE(const auto row, store_.conversation(conversation));
    if (row.created_by != owner_) return {};
    Part& part = parts_[conversation];
    const Cid name = cid_of(edge);
    if (!part.names.insert(name).second) return {};
    part.unit.leaves.push_back(name);
    part.unit.connections.push_back(edge);
    return {};
  }

  Status close(const Cid& conversation, Part& part) {
    weave::CommitUnit& unit = part.unit;
    unit.conversation = conversation;
    WEFT_TRY_VALUE(const auto row, store_.conversation(conversation));
    unit.previous = row.checkpoint;
    thought::Checkpoint content{.conversation = conversation, .previous = row.checkpoint};
    if (row.checkpoint) {
      WEFT_TRY_VALUE(const Thought newest, store_.get_without_path(*row.checkpoint));
      WEFT_TRY_VALUE(const auto before, thought::to_checkpoint(newest));
      content.blocks = before.blocks;
      content.head = before.head;
    }
    for (const Connection& edge : unit.connections) {
      if (edge.relation != "contains") continue;
      ++content.blocks;
      content.head = thought::next_head(content.head, edge.to);
    }
    weave::cover_all(unit);
    content.leaves = unit.leaves.size();
    content.root = thought::Tree(unit.leaves).root();
    Thought checkpoint;
    checkpoint.type = thought::kCheckpointType;
    checkpoint.created_by = owner_;
    checkpoint.created_at = now_;
    checkpoint.content = to_content(content);
    checkpoint.cid = cid_of(checkpoint);
    unit.checkpoint = checkpoint.cid;
    weave::sign_by_tree(unit);
    unit.thoughts.push_back(std::move(checkpoint));
    unit.signers.push_back(&keyring_.owner_signing_key());
    return {};
  }

  Result<const crypto::SigningKey*> signing_key(const Cid& identity) {
    const auto known = keys_.find(identity);
    if (known != keys_.end()) return known->second.get();
    WEFT_TRY_VALUE(auto key, key_of(keyring_, store_, identity));
    if (!key) return fail(ErrorCode::denied, "the keyring does not speak for " + identity.str());
    const auto added =
        keys_.emplace(identity, std::make_unique<crypto::SigningKey>(*std::move(key)));
    return added.first->second.get();
  }

  const store::Store& store_;
  const crypto::Keyring& keyring_;
  const SealPlan& plan_;
  const std::map<Cid, Thought>& sealed_;
  const Millis now_;
  const Cid owner_;
  std::map<Cid, Part> parts_;  // by conversation
  std::map<Cid, std::unique_ptr<const crypto::SigningKey>> keys_;
};

}  // namespace

Result<bool> is_signed_by(const crypto::Keyring& keyring, const store::Store& store,
                          const Cid& identity) {
  WEFT_TRY_VALUE(const auto key, key_of(keyring, store, identity));
  return key.has_value();
}

Result<std::vector<weave::CommitUnit>> sealed_units(const store::Store& store,
                                                    const crypto::Keyring& keyring,
                                                    const SealPlan& plan,
                                                    const std::map<Cid, Thought>& sealed,
                                                    Millis now) {
  return UnitBuilder(store, keyring, plan, sealed, now).build();
}

}  // namespace weft::ingest
