#include "weft/ingest/drop_key.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::ingest {
namespace {

constexpr int kMaxDropTries = 8;  // while another writer is at work
constexpr std::string_view kKeyPrefix = "ed25519:";
constexpr std::size_t kMinDigits = 8;

thought::Thought dropped_tombstone(const thought::Thought& owner, const crypto::Keyring& keyring,
                                   const store::DropPlan& plan, Millis now) {
  std::vector<Cid> conversations;
  for (const auto& conversation : plan.conversations) conversations.push_back(conversation.cid);
  std::ranges::sort(conversations);
  thought::Thought tombstone;
  tombstone.type = thought::kTombstoneType;
  tombstone.content =
      to_content(thought::Tombstone{std::move(conversations), plan.spoken_of, plan.thoughts});
  tombstone.created_by = owner.cid;
  tombstone.created_at = now;
  tombstone.cid = cid_of(tombstone);
  tombstone.signature = keyring.owner_signing_key().sign(crypto::bytes_of(tombstone.cid.digest()));
  return tombstone;
}

}  // namespace

Result<store::DropPlan> plan_drop(const store::Store& store, const crypto::Keyring& keyring,
                                  const Cid& identity) {
  if (!keyring.can_sign()) {
    return fail(ErrorCode::denied, "dropping a key needs the owner's keyring, which can sign");
  }
  WEFT_TRY_VALUE(const auto owner, store.owner());
  if (identity == thought::owner_identity(keyring).cid || identity == owner) {
    return fail(ErrorCode::denied,
                "nothing was dropped: " + identity.str() + " is the owner of this store");
  }
  return store.forgetting().plan_drop(identity);
}

Result<DropReport> drop_key(store::Store& store, const crypto::Keyring& keyring,
                            const Cid& identity, Millis now, bool index_sealed) {
  Error last{ErrorCode::conflict, "other writers keep changing the store; try again"};
  for (int tries = 0; tries < kMaxDropTries; ++tries) {
    WEFT_TRY_VALUE(auto plan, plan_drop(store, keyring, identity));
    store::DropRequest request{.plan = plan,
                               .owner = thought::owner_identity(keyring),
                               .indexer = {.keyring = &keyring, .index_sealed = index_sealed}};
    if (!plan.conversations.empty()) {
      request.tombstone = dropped_tombstone(request.owner, keyring, plan, now);
    }
    Status dropped = store.forgetting().drop(request);
    if (dropped) {
      DropReport report{.plan = std::move(plan)};
      if (request.tombstone) report.tombstone = request.tombstone->cid;
      return report;
    }
    if (dropped.error().code != ErrorCode::conflict) return fail(std::move(dropped).error());
    last = std::move(dropped).error();
  }
  return fail(std::move(last));
}

Result<Cid> find_identity(const store::Store& store, const std::string& text) {
  std::string_view digits = text;
  const bool is_cid = digits.starts_with(Cid::kPrefix);
  if (is_cid) digits.remove_prefix(Cid::kPrefix.size());
  else if (digits.starts_with(kKeyPrefix)) digits.remove_prefix(kKeyPrefix.size());
  if (digits.size() < kMinDigits) {
    return fail(ErrorCode::invalid_input,
                "'" + text + "' is too short: give at least 8 digits of the key or of the CID");
  }
  std::map<Cid, std::string> found;
  const store::Inspector inspector{
      .thought =
          [&](const store::CanonicalThought& form) {
            if (!is_identity(form.thought)) return;
            const auto key = find_string(form.thought.content, "pubkey").value_or("");
            const bool is_key =
                key.starts_with(kKeyPrefix) && key.substr(kKeyPrefix.size()).starts_with(digits);
            const bool is_name =
                form.thought.cid.str().substr(Cid::kPrefix.size()).starts_with(digits);
            if ((is_key && !is_cid) || is_name) found.emplace(form.thought.cid, key);
          },
      .connection = [](const std::optional<Cid>&, const thought::Connection&) {},
      .dangling = [](const Cid&) {},
      .broken = [](const Cid&, const std::string&) {}};
  WEFT_TRY_VALUE(const auto ranges, store.audit().scan_ranges());
  for (const store::ScanRange& range : ranges) WEFT_TRY(store.audit().inspect(range, inspector));
  if (found.empty()) {
    return fail(ErrorCode::not_found, "no identity in this store has the key or CID " + text);
  }
  if (found.size() > 1) {
    return fail(ErrorCode::invalid_input, "several identities begin with " + text);
  }
  return found.begin()->first;
}

}  // namespace weft::ingest
