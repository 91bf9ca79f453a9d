#include "weft/query/verify/forgotten.hpp"

#include "weft/base/try.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {
namespace {

std::string_view word_for(thought::Verdict verdict) {
  switch (verdict) {
    case thought::Verdict::valid: return "valid";
    case thought::Verdict::foreign: return "foreign";
    case thought::Verdict::consistent: break;
  }
  return "consistent";
}

// The verdict on what `creator` signed here.
Result<thought::Verdict> check(const store::Store& store, const crypto::Keyring* keyring,
                               const thought::Thought& tombstone) {
  WEFT_TRY_VALUE(const auto creator, store.get(tombstone.created_by));
  thought::Witnesses witnesses(keyring);
  WEFT_TRY(witnesses.add(creator));
  return witnesses.check(tombstone);
}

}  // namespace

Result<json::object> forgotten(const store::Store& store, const crypto::Keyring* keyring) {
  WEFT_TRY_VALUE(const auto tombstones, store.forgetting().tombstones());
  json::array listed;
  for (const Cid& cid : tombstones) {
    WEFT_TRY_VALUE(const auto stored, store.get(cid));
    const Result<thought::Tombstone> tombstone = thought::to_tombstone(stored);
    if (!tombstone) continue;                        // of a later version of weft
    if (tombstone->conversations.empty()) continue;  // of thoughts that were sealed
    json::array conversations;
    for (const Cid& conversation : tombstone->conversations) {
      conversations.emplace_back(conversation.str());
    }
    json::object shown{{"cid", cid.str()},
                       {"created_at", stored.created_at},
                       {"created_by", stored.created_by.str()},
                       {"conversations", std::move(conversations)},
                       {"thoughts", tombstone->thoughts}};
    const Result<thought::Verdict> verdict = check(store, keyring, stored);
    shown["verdict"] = verdict ? word_for(*verdict) : "bad";
    if (!verdict) shown["reason"] = verdict.error().message;
    listed.push_back(std::move(shown));
  }
  return json::object{{"forgotten", std::move(listed)}};
}

}  // namespace weft::query
