// The places of a conversation: their keys, and the thoughts that stand there already.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/seal.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {
namespace {

// Equal except for the time, which may differ when a block is repeated, and for the length of the
// text, which only sealed thoughts state.
bool is_same_content(json::object a, json::object b) {
  for (const std::string_view member : {"duration_ms", "chars"}) {
    a.erase(member);
    b.erase(member);
  }
  return a == b;
}

}  // namespace

// What was sealed is woven as the thought that stands for it. True if `thought` is that now.
Result<bool> ConversationWeaver::take_sealed(thought::Thought& thought) const {
  WEFT_TRY_VALUE(const auto sealed, known_web_.sealed_as(identities_.owner().cid, thought.cid));
  if (!sealed) return false;
  WEFT_TRY_VALUE(thought, known_web_.get(*sealed));
  return true;
}

Result<std::optional<ConversationWeaver::ThoughtPlace>> ConversationWeaver::find_current(
    const PlaceKey& key, const thought::Thought& thought, Kind kind) {
  WEFT_TRY_VALUE(const auto cid, find_place(key));
  if (!cid) return std::nullopt;
  ThoughtPlace current{
      .ref = {.cid = *cid, .kind = kind, .time = thought.created_at, .shared = true}};
  if (*cid == thought.cid) {
    current.same = true;
    return current;
  }
  WEFT_TRY_VALUE(const auto there, find_thought(*cid));
  if (!there) return current;
  current.ref.time = there->created_at;
  current.is_sealed = is_sealed_by_choice(*there);
  json::object before = open_content(*there, &identities_.keyring());
  json::object now = open_content(thought, &identities_.keyring());
  current.same = there->type == thought.type && is_same_content(std::move(before), std::move(now));
  return current;
}

// Keyed, because the ids of a source may reveal private data to somebody who has only the file.
PlaceKey ConversationWeaver::place_key(std::string_view what, std::string_view source_id,
                                       std::uint64_t index) const {
  thread_local std::string place;  // the canonical JSON of [what, source_id, index]
  place.assign("[");
  append_canonical_string(place, what);
  place += ',';
  append_canonical_string(place, source_id);
  place += ',';
  place += std::to_string(index);
  place += ']';
  const Digest digest = crypto::blake3_keyed(identities_.keyring().source_hash_key(), {place});
  PlaceKey key;
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

Result<std::optional<Cid>> ConversationWeaver::find_place(const PlaceKey& key) const {
  if (const auto found = new_places_.find(key); found != new_places_.end()) return found->second;
  if (!committed_before_) return std::nullopt;
  return known_web_.find_place(*conversation_, key);
}

}  // namespace weft::weave
