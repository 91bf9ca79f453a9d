// Joins conversations of different files by `spawns` and `continues`. The end that is woven second
// weaves the edge.
#include <algorithm>

#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {

using transcript::Origin;

PlaceKey key_of(const crypto::Keyring& keyring, json::array what) {
  const Digest digest =
      crypto::blake3_keyed(keyring.source_hash_key(), {canonical_json(std::move(what))});
  PlaceKey key;
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

PlaceKey heading_key(const crypto::Keyring& keyring, std::string_view format,
                     std::string_view session_id, std::string_view source) {
  return key_of(keyring, {"conversation", format, session_id, source});
}

void ConversationWeaver::origin(const Origin& origin) {
  if (std::ranges::find(origins_, origin) == origins_.end()) origins_.push_back(origin);
}

// A call is marked under its id, and under the name of the agent that it spawned.
Status ConversationWeaver::spawned(const transcript::Spawned& spawned) {
  const PlaceKey own_key = key_of(identities_.keyring(),
                                  {"call", heading_.format, heading_.session_id, spawned.call_id});
  if (spawned.outcome == transcript::Spawned::Outcome::here) {
    return note_notification(spawned.call_id, own_key);
  }
  const bool in_background = spawned.outcome == transcript::Spawned::Outcome::later;
  const auto noted = tracker_.note_spawning(spawned.call_id, in_background);
  if (!noted) return {};
  note_outcome(*noted, in_background);
  const Ref& call = noted->call;
  std::vector<PlaceKey> keys = {own_key};
  if (spawned.agent) {
    keys.push_back(key_of(identities_.keyring(),
                          {"agent", heading_.format, heading_.session_id, *spawned.agent}));
  }
  for (const PlaceKey& key : keys) {
    WEFT_TRY_VALUE(const auto known, find_mark(key));
    if (known) continue;
    const Mark mark{.key = key, .call = call.cid, .time = call.time};
    add_mark(mark);
    WEFT_TRY_VALUE(const auto children, known_web_.find_waiting(key));
    for (const Waiting& child : children) WEFT_TRY(weave_spawns(mark, child));
    const auto [from, to] = pending_.waits.equal_range(key);
    for (auto child = from; child != to; ++child) WEFT_TRY(weave_spawns(mark, child->second));
  }
  return {};
}

Status ConversationWeaver::weave_spawns(const Mark& mark, const Waiting& child) {
  const Ref from{.cid = mark.call, .time = mark.time, .shared = true};
  const Ref to{.cid = child.conversation, .time = child.created_at, .shared = true};
  WEFT_TRY_VALUE(const bool is_joined, knows(cid_of(edge("spawns", from, to, {}))));
  if (!is_joined) WEFT_TRY(connect("spawns", from, to, {}, to));
  unit_.joined.push_back(child.conversation);
  pending_.spawned.emplace(mark.call, child.conversation);
  return {};
}

// Connects this conversation to the one that it continues, or waits for that.
Status ConversationWeaver::join_continued(const Origin& origin, const Ref& self) {
  transcript::Heading other = heading_;
  other.session_id = origin.session_id;
  other.source = "primary";
  if (other == heading_) return {};
  WEFT_TRY_VALUE(const auto known, known_web_.find_conversation(other, identities_.owner().cid));
  if (!known) {
    unit_.waits.push_back(
        heading_key(identities_.keyring(), other.format, other.session_id, other.source));
    return {};
  }
  const Ref to{.cid = known->cid, .time = known->created_at, .shared = true};
  WEFT_TRY_VALUE(const bool is_joined, knows(cid_of(edge("continues", self, to, {}))));
  if (!is_joined) WEFT_TRY(connect("continues", self, to, {}, self));
  return {};
}

Result<std::vector<Joining>> ConversationWeaver::join() {
  std::vector<Joining> joinings;
  if (!conversation_) return joinings;
  const Ref self{.cid = *conversation_, .time = conversation_time_, .shared = true};
  const Waiting waiting{.conversation = *conversation_, .created_at = conversation_time_};
  for (const Origin& origin : std::exchange(origins_, {})) {
    if (origin.kind == Origin::Kind::continued) {
      WEFT_TRY(join_continued(origin, self));
      continue;
    }
    std::vector<PlaceKey> keys;
    const auto add_key = [&](std::string_view what, const std::optional<std::string>& name) {
      if (!name) return;
      keys.push_back(
          key_of(identities_.keyring(), {what, heading_.format, origin.session_id, *name}));
    };
    add_key("call", origin.call_id);
    add_key("agent", origin.agent);
    std::optional<Mark> mark;
    ConversationWeaver* caller = nullptr;
    for (const PlaceKey& key : keys) {
      const auto pending = pending_.marks.find(key);
      if (!mark && pending != pending_.marks.end()) {
        mark = pending->second.mark;
        caller = pending->second.by;
      }
      if (!mark) {
        WEFT_TRY_VALUE(mark, known_web_.find_mark(key));
      }
    }
    if (mark) {
      const Ref call{.cid = mark->call, .time = mark->time};
      WEFT_TRY_VALUE(const bool is_joined, knows(cid_of(edge("spawns", call, self, {}))));
      if (!is_joined) joinings.push_back({*mark, waiting, origin.session_id, caller});
      continue;
    }
    for (const PlaceKey& key : keys) {
      unit_.waits.push_back(key);
      pending_.waits.emplace(key, waiting);
    }
  }
  WEFT_TRY(join_resumed(self));
  WEFT_TRY(join_shared());
  return joinings;
}

// Forks of this conversation that came before it.
Status ConversationWeaver::join_waiting() {
  const PlaceKey key =
      heading_key(identities_.keyring(), heading_.format, heading_.session_id, heading_.source);
  const Ref self{.cid = *conversation_, .time = conversation_time_};
  WEFT_TRY_VALUE(const auto forks, known_web_.find_waiting(key));
  for (const Waiting& fork : forks) {
    const Ref from{.cid = fork.conversation, .time = fork.created_at};
    WEFT_TRY(connect("continues", from, self, {}, self));
    unit_.joined.push_back(fork.conversation);
  }
  return {};
}

// A conversation that begins with another one's blocks was copied from it.
Status ConversationWeaver::join_shared() {
  if (!last_copied_) return {};
  const Cid copied = *std::exchange(last_copied_, std::nullopt);
  Millis created_at = 0;
  const auto fits = [&](const Cid& holder) -> Result<bool> {
    if (holder == *conversation_) return false;
    WEFT_TRY_VALUE(const auto other, find_readable(known_web_, holder));
    if (!other || other->created_by != identities_.owner().cid) return false;
    created_at = other->created_at;
    return find_string(other->content, "format") == heading_.format &&
           find_string(other->content, "source") == heading_.source;
  };
  WEFT_TRY_VALUE(const auto origin, known_web_.find_holder(copied, fits));
  if (!origin) return {};
  const Ref self{.cid = *conversation_, .time = conversation_time_, .shared = true};
  const Ref to{.cid = *origin, .time = created_at, .shared = true};
  WEFT_TRY_VALUE(const bool is_joined, knows(cid_of(edge("continues", self, to, {}))));
  WEFT_TRY_VALUE(const bool is_reversed, knows(cid_of(edge("continues", to, self, {}))));
  if (!is_joined && !is_reversed) WEFT_TRY(connect("continues", self, to, {}, self));
  return {};
}

}  // namespace weft::weave
