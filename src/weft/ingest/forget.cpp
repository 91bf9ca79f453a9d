#include "weft/ingest/forget.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/tree.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::ingest {
namespace {

using store::ConversationRow;
using store::ForgetPlan;
using thought::Thought;

constexpr int kMaxTries = 8;  // while another writer is at the same conversations
constexpr std::string_view kPrimary = "primary";

// Signs what a forget leaves behind.
class ForgetSigner {
 public:
  ForgetSigner(const store::Store& store, const crypto::Keyring& keyring, Millis now)
      : store_(store), keyring_(keyring), identities_(keyring), now_(now) {}

  const Cid& owner() const { return identities_.owner().cid; }

  Result<store::ForgetRequest> prepare(const std::vector<ConversationRow>& rows) const {
    std::vector<Cid> cids;
    for (const ConversationRow& row : rows) cids.push_back(row.cid);
    WEFT_TRY_VALUE(auto what, store_.forgetting().plan(cids, owner()));
    store::ForgetRequest forget{
        .plan = std::move(what), .tombstone = tombstone(cids, {}, 0), .owner = identities_.owner()};
    forget.tombstone = tombstone(std::move(cids), forget.plan.spoken_of, forget.plan.thoughts);
    for (const ForgetPlan::Orphans& orphans : forget.plan.orphans) {
      WEFT_TRY_VALUE(auto checkpoint, sign_again(orphans));
      forget.checkpoints.push_back(std::move(checkpoint));
    }
    for (const ConversationRow& row : rows) {
      forget.headings.push_back(
          weave::heading_key(keyring_, row.format, row.session_id, row.source));
    }
    return forget;
  }

 private:
  Thought signed_by_owner(std::string_view type, json::object content) const {
    Thought thought;
    thought.type = type;
    thought.content = std::move(content);
    thought.created_by = owner();
    thought.created_at = now_;
    thought.cid = cid_of(thought);
    thought.signature = identities_.owner_key().sign(crypto::bytes_of(thought.cid.digest()));
    return thought;
  }

  Thought tombstone(std::vector<Cid> conversations, const std::vector<Cid>& spoken_of,
                    std::uint64_t thoughts) const {
    std::ranges::sort(conversations);
    return signed_by_owner(
        thought::kTombstoneType,
        to_content(thought::Tombstone{std::move(conversations), spoken_of, thoughts}));
  }

  // A checkpoint that adds no place: it only covers again what was covered before. Empty where
  // the conversation is not the owner's.
  Result<std::optional<Thought>> sign_again(const ForgetPlan::Orphans& orphans) const {
    if (orphans.created_by != owner()) return std::nullopt;
    Result<Thought> newest = store_.get(orphans.checkpoint);
    if (!newest) return fail(std::move(newest).error().within("signing what is shared"));
    WEFT_TRY_VALUE(auto checkpoint, thought::to_checkpoint(*newest));
    checkpoint.previous = orphans.checkpoint;
    const std::vector<Cid> leaves = orphans.leaves();
    checkpoint.leaves = leaves.size();
    checkpoint.root = thought::Tree(leaves).root();
    checkpoint.version = thought::kCheckpointVersion;
    return signed_by_owner(thought::kCheckpointType, to_content(checkpoint));
  }

  const store::Store& store_;
  const crypto::Keyring& keyring_;
  const thought::Identities identities_;
  const Millis now_;
};

}  // namespace

Result<std::vector<ConversationRow>> forgotten_with(const store::Web& store,
                                                    const ConversationRow& conversation) {
  std::vector<ConversationRow> rows = {conversation};
  if (conversation.source != kPrimary) return rows;
  Result<std::vector<ConversationRow>> session =
      store.conversations({.format = conversation.format, .session_id = conversation.session_id});
  if (!session) return session;
  for (ConversationRow& row : *session) {
    if (row.source.starts_with("subagent:")) rows.push_back(std::move(row));
  }
  return rows;
}

Result<store::ForgetRequest> sign_forgetting(const store::Store& store,
                                             const crypto::Keyring& keyring,
                                             const ConversationRow& conversation, Millis now) {
  if (!keyring.can_sign()) {
    return fail(ErrorCode::denied,
                "forgetting leaves a signed tombstone, and this keyring cannot sign");
  }
  WEFT_TRY_VALUE(const auto rows, forgotten_with(store, conversation));
  return ForgetSigner(store, keyring, now).prepare(rows);
}

Result<ForgetReport> forget(store::Store& store, const crypto::Keyring& keyring,
                            const ConversationRow& conversation, Millis now, bool index_sealed) {
  if (!keyring.can_sign()) {
    return fail(ErrorCode::denied,
                "forgetting leaves a signed tombstone, and this keyring cannot sign");
  }
  const ForgetSigner signer(store, keyring, now);
  Error last{ErrorCode::conflict, "other writers keep changing this conversation; try again"};
  for (int tries = 0; tries < kMaxTries; ++tries) {
    WEFT_TRY_VALUE(auto rows, forgotten_with(store, conversation));
    WEFT_TRY_VALUE(auto forget, signer.prepare(rows));
    forget.indexer = {.keyring = &keyring, .index_sealed = index_sealed};
    Result<store::ForgetResult> forgotten = store.forgetting().forget(forget);
    if (!forgotten && forgotten.error().code == ErrorCode::conflict) {
      last = std::move(forgotten).error();
      continue;
    }
    if (!forgotten) return fail(std::move(forgotten).error());

    ForgetReport report{.tombstone = forget.tombstone.cid,
                        .archives = forgotten->archives,
                        .shared_kept = forget.plan.shared};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      report.conversations.push_back({std::move(rows[i]), forget.plan.conversations[i].thoughts});
    }
    Result<bool> scrubbed = store.forgetting().scrub();
    if (!scrubbed)
      return fail(std::move(scrubbed).error().within(
          "the conversation is forgotten, but still in the store's files"));
    report.is_wiped = *scrubbed;
    return report;
  }
  return fail(std::move(last));
}

}  // namespace weft::ingest
