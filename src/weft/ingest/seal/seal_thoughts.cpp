#include "weft/ingest/seal/seal_thoughts.hpp"

#include <algorithm>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/ingest/seal/repack.hpp"
#include "weft/ingest/seal/sealed_units.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::ingest {
namespace {

using thought::Thought;

constexpr int kMaxTries = 8;  // while another writer is at the same conversations

// Finds what is to be sealed.
class SealPlanner {
 public:
  SealPlanner(const store::Store& store, const crypto::Keyring& keyring)
      : store_(store), keyring_(keyring), owner_(thought::owner_identity(keyring).cid) {}

  Result<SealPlan> plan(const std::vector<Cid>& thoughts) {
    for (const Cid& cid : thoughts) WEFT_TRY(add(cid));
    return std::move(plan_);
  }

 private:
  Status add(const Cid& cid) {
    if (!seen_.insert(cid).second) return {};
    Result<Thought> found = store_.get(cid);
    if (!found && found.error().code == ErrorCode::not_found) {
      WEFT_TRY_VALUE(const auto sealed, store_.sealed_as(cid));
      if (!sealed) return fail(std::move(found).error());
      plan_.already.push_back(cid);
      return {};
    }
    if (!found) return fail(std::move(found).error());
    if (!thought::may_be_sealed(found->type)) {
      const std::string kind(thought::kind_of(found->type));
      return leave(cid, "a thought of kind " + kind + " is never sealed");
    }
    if (thought::is_sealed_whole(*found)) {
      plan_.already.push_back(cid);
      return {};
    }
    return add_clear(*std::move(found));
  }

  Status add_clear(Thought clear) {
    const Cid cid = clear.cid;
    WEFT_TRY_VALUE(const bool is_ours, is_signed_by(keyring_, store_, clear.created_by));
    if (!is_ours) return leave(cid, "it is signed by somebody else: weft forget CONV removes it");
    WEFT_TRY_VALUE(auto holders, store_.forgetting().holders(cid));
    for (const Cid& holder : holders) {
      WEFT_TRY_VALUE(const auto row, store_.conversation(holder));
      if (row.created_by == owner_) continue;
      return leave(cid, "it also stands in conversation " + holder.brief() +
                            " of somebody else: forget that first");
    }
    if (holders.empty()) return leave(cid, "it stands in no conversation");
    for (const Cid& holder : holders) {
      const bool is_new =
          std::ranges::find(plan_.conversations, holder) == plan_.conversations.end();
      if (is_new) plan_.conversations.push_back(holder);
    }
    const bool is_facts = thought::kind_of(clear.type) == "conversation_facts";
    const std::optional<Cid> conversation = is_facts && !clear.because.empty()
                                                ? std::optional(clear.because.front().thought)
                                                : std::nullopt;
    plan_.items.push_back({std::move(clear), std::move(holders)});
    return conversation ? add_facts_after(cid, *conversation) : Status();
  }

  // The newest facts of a conversation are those that are stored last: so all from these on are
  // sealed, in their order.
  Status add_facts_after(const Cid& cid, const Cid& conversation) {
    WEFT_TRY_VALUE(const auto effects, store_.effects(conversation));
    const auto at = std::ranges::find(effects, cid);
    if (at == effects.end()) return {};
    for (auto later = at + 1; later != effects.end(); ++later) {
      WEFT_TRY_VALUE(const Thought thought, store_.get_without_path(*later));
      const bool is_facts = thought::kind_of(thought.type) == "conversation_facts";
      if (is_facts && thought.created_by == owner_) WEFT_TRY(add(*later));
    }
    return {};
  }

  Status leave(const Cid& cid, std::string reason) {
    plan_.left.push_back({cid, std::move(reason)});
    return {};
  }

  const store::Store& store_;
  const crypto::Keyring& keyring_;
  const Cid owner_;
  SealPlan plan_;
  std::unordered_set<Cid> seen_;
};

Thought tombstone_of(const SealPlan& plan, const std::map<Cid, Thought>& sealed, Millis now,
                     const crypto::Keyring& keyring) {
  thought::Tombstone content{.thoughts = plan.items.size()};
  for (const auto& [clear, form] : sealed) {  // sorted
    content.forgotten.push_back(clear);
    content.sealed_as.push_back(form.cid);
  }
  Thought tombstone;
  tombstone.type = thought::kTombstoneType;
  tombstone.content = to_content(content);
  tombstone.created_by = thought::owner_identity(keyring).cid;
  tombstone.created_at = now;
  tombstone.cid = cid_of(tombstone);
  tombstone.signature = keyring.owner_signing_key().sign(crypto::bytes_of(tombstone.cid.digest()));
  return tombstone;
}

Result<std::vector<store::SealRequest::Source>> repack_all(const store::Store& store,
                                                           const crypto::Keyring& keyring,
                                                           const SealPlan& plan,
                                                           const SealedForms& forms) {
  std::vector<store::SealRequest::Source> repacked;
  std::vector<store::SourceKey> seen;
  for (const Cid& conversation : plan.conversations) {
    WEFT_TRY_VALUE(const auto sources, store.sources().of(conversation));
    for (const store::Source& source : sources) {
      if (std::ranges::find(seen, source.key) != seen.end()) continue;
      seen.push_back(source.key);
      WEFT_TRY_VALUE(auto changed, repack(store, keyring, source, forms));
      if (changed) repacked.push_back(*std::move(changed));
    }
  }
  return repacked;
}

Result<store::SealRequest> prepare(store::Store& store, const crypto::Keyring& keyring,
                                   const SealPlan& plan, Millis now, bool index_sealed) {
  std::map<Cid, Thought> sealed;
  for (const SealPlan::Item& item : plan.items) {
    Thought form = item.clear;
    thought::seal_whole(form, keyring);
    form.cid = cid_of(form);
    sealed.emplace(item.clear.cid, std::move(form));
  }
  store::SealRequest request{.tombstone = tombstone_of(plan, sealed, now, keyring),
                             .owner = thought::owner_identity(keyring),
                             .indexer = {.keyring = &keyring, .index_sealed = index_sealed}};
  for (const SealPlan::Item& item : plan.items) {
    request.replaced.push_back({item.clear.cid, sealed.at(item.clear.cid).cid, item.conversations});
  }
  WEFT_TRY_VALUE(request.batch.units, sealed_units(store, keyring, plan, sealed, now));
  store.writer().prepare(request.batch, request.indexer);
  SealedForms forms;
  for (const auto& [clear, form] : sealed) forms.emplace(clear, &form);
  WEFT_TRY_VALUE(request.sources, repack_all(store, keyring, plan, forms));
  return request;
}

SealReport report_of(SealPlan plan, const store::SealRequest& request) {
  SealReport report{.plan = std::move(plan), .tombstone = request.tombstone.cid};
  for (const auto& replaced : request.replaced) report.sealed.push_back(replaced.sealed);
  for (const auto& source : request.sources) report.repacked += source.pieces.size();
  return report;
}

}  // namespace

Result<SealPlan> plan_seal(const store::Store& store, const crypto::Keyring& keyring,
                           const std::vector<Cid>& thoughts) {
  if (!keyring.can_sign()) {
    return fail(ErrorCode::denied,
                "sealing signs the sealed thoughts, and this keyring cannot sign");
  }
  return SealPlanner(store, keyring).plan(thoughts);
}

Result<SealReport> seal_thoughts(store::Store& store, const crypto::Keyring& keyring,
                                 const std::vector<Cid>& thoughts, Millis now, bool index_sealed) {
  Error last{ErrorCode::conflict, "other writers keep changing these conversations; try again"};
  for (int tries = 0; tries < kMaxTries; ++tries) {
    WEFT_TRY_VALUE(auto plan, plan_seal(store, keyring, thoughts));
    if (plan.items.empty()) return SealReport{.plan = std::move(plan)};
    WEFT_TRY_VALUE(const auto request, prepare(store, keyring, plan, now, index_sealed));
    Status sealed = store.forgetting().seal(request);
    if (!sealed && sealed.error().code == ErrorCode::conflict) {
      last = std::move(sealed).error();
      continue;
    }
    if (!sealed) return fail(std::move(sealed).error());
    SealReport report = report_of(std::move(plan), request);
    Result<bool> scrubbed = store.forgetting().scrub();
    if (!scrubbed) {
      return fail(std::move(scrubbed).error().within(
          "the thoughts are sealed, but their clear text is still in the store's files"));
    }
    report.is_wiped = *scrubbed;
    return report;
  }
  return fail(std::move(last));
}

}  // namespace weft::ingest
