// Connects summaries to the conversations that they summarize: `summarizes` (docs/design.md,
// "Connections"). A summary names the record that the conversation ended with. Whichever is woven
// first, the edge is woven and signed in the conversation in which the summary stands.
#include <algorithm>
#include <set>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {
namespace {

// Summaries of one conversation that wait for the same record. Further ones stay without an edge.
constexpr std::uint64_t kMostWaiting = 16;

}  // namespace

Result<bool> ConversationWeaver::has_place(const PlaceKey& place) const {
  if (!conversation_) return false;
  WEFT_TRY_VALUE(const auto found, find_place(place));
  return found.has_value();
}

Status ConversationWeaver::weave_summarizes(const NamedLeaf& leaf, const Ref& summarized) {
  const thought::Connection woven = edge("summarizes", leaf.summary, summarized, {});
  WEFT_TRY_VALUE(const bool is_joined, knows(cid_of(woven)));
  if (!is_joined) WEFT_TRY(connect("summarizes", leaf.summary, summarized, {}, leaf.summary));
  return {};
}

PlaceKey ConversationWeaver::summary_key(const PlaceKey& leaf, std::uint64_t number) const {
  return key_of(identities_.keyring(), {"summary", conversation_->str(), to_hex(leaf), number});
}

Status ConversationWeaver::await_summarized(const NamedLeaf& leaf) {
  const PlaceKey waits_for = leaf_key(leaf.place);
  for (std::uint64_t number = 0; number < kMostWaiting; ++number) {
    const PlaceKey key = summary_key(waits_for, number);
    WEFT_TRY_VALUE(const auto known, find_mark(key));
    if (known && known->call == leaf.summary.cid) return {};
    if (known) continue;
    add_mark({.key = key, .call = leaf.summary.cid, .time = leaf.summary.time});
    unit_.waits.push_back(waits_for);
    return {};
  }
  return {};
}

Status ConversationWeaver::end_wait(const PlaceKey& key, const Ref& summarized) {
  for (std::uint64_t number = 0; number < kMostWaiting; ++number) {
    WEFT_TRY_VALUE(const auto mark, find_mark(summary_key(key, number)));
    if (!mark) break;
    const Ref summary{.cid = mark->call, .time = mark->time, .shared = true};
    WEFT_TRY(weave_summarizes({.place = {}, .summary = summary}, summarized));
  }
  unit_.met.push_back({.key = key, .conversation = *conversation_});
  return {};
}

std::vector<Wait> ConversationWeaver::met_by_new_places(const std::vector<Wait>& waits) const {
  std::vector<Wait> met;
  if (waits.empty() || unit_.places.empty()) return met;
  std::set<PlaceKey> keys;
  for (const Place& place : unit_.places) keys.insert(leaf_key(place.key));
  std::ranges::copy_if(waits, std::back_inserter(met),
                       [&](const Wait& wait) { return keys.contains(wait.key); });
  return met;
}

}  // namespace weft::weave
