#include "weft/query/verify/signers.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "weft/base/try.hpp"

namespace weft::query {
namespace {

using thought::Thought;

std::string text_of(const Thought& identity, std::string_view member) {
  return std::string(find_string(identity.content, member).value_or(""));
}

bool is_person(const Thought& identity) {
  return find_string(identity.content, "kind") == "human" &&
         find_string(identity.content, "provenance") == "verified";
}

// The person who put a block into a conversation of theirs; empty if nobody did.
Result<std::optional<Thought>> find_placer(const store::Store& store, const Cid& block) {
  WEFT_TRY_VALUE(const auto edges, store.connections(block, "contains", store::Direction::to));
  for (const thought::Connection& edge : edges) {
    Result<Thought> placer = store.get_without_path(edge.created_by);
    if (placer && is_person(*placer)) return *std::move(placer);
  }
  return std::nullopt;
}

struct Signer {
  std::string name, key;
  bool is_trusted = false;
  std::uint64_t signatures = 0;
};

Signer to_signer(const Thought& identity, const crypto::Keyring& keyring) {
  Signer signer{.name = text_of(identity, "name"), .key = text_of(identity, "pubkey")};
  if (!is_person(identity)) return signer;
  for (const crypto::TrustedOwner& owner : keyring.trusted()) {
    if (owner.key.str() != signer.key) continue;
    signer.name = owner.name;
    signer.is_trusted = true;
  }
  return signer;
}

}  // namespace

void Signers::add(const Cid& identity, const std::optional<Cid>& block) {
  Signed& entry = by_identity_[identity];
  ++entry.thoughts;
  // The least of all, whichever thread met it.
  if (block && (!entry.block || *block < *entry.block)) entry.block = block;
}

Signers& Signers::operator+=(const Signers& other) {
  for (const auto& [identity, more] : other.by_identity_) {
    Signed& entry = by_identity_[identity];
    entry.thoughts += more.thoughts;
    if (more.block && (!entry.block || *more.block < *entry.block)) entry.block = more.block;
  }
  return *this;
}

Result<SignersReport> report_signers(const store::Store& store, const crypto::Keyring& keyring,
                                     const Signers& signers) {
  std::map<std::string, Signer> by_key;
  for (const auto& [cid, entry] : signers.by_identity()) {
    Result<Thought> identity = store.get_without_path(cid);
    if (!identity) continue;  // found damaged by the check itself
    if (!is_person(*identity) && entry.block) {
      WEFT_TRY_VALUE(auto placer, find_placer(store, *entry.block));
      if (placer && find_string(placer->content, "pubkey") != keyring.owner_key().str()) {
        identity = *std::move(placer);
      }
    }
    Signer signer = to_signer(*identity, keyring);
    Signer& sum = by_key.try_emplace(signer.key, signer).first->second;
    sum.signatures += entry.thoughts;
  }
  std::vector<Signer> sorted;
  for (auto& [key, signer] : by_key) sorted.push_back(std::move(signer));
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Signer::signatures);
  SignersReport report;
  for (const Signer& signer : sorted) {
    if (signer.is_trusted) report.trusted += signer.signatures;
    report.signers.push_back(json::object{{"name", signer.name},
                                          {"key", signer.key},
                                          {"trusted", signer.is_trusted},
                                          {"signatures", signer.signatures}});
  }
  return report;
}

}  // namespace weft::query
