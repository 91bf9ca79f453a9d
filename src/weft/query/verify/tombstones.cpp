#include "weft/query/verify/tombstones.hpp"

#include <algorithm>

namespace weft::query {

using thought::Thought;
using thought::Verdict;

bool Tombstones::list(const Cid& cid) {
  const Result<std::vector<Cid>> tombstones = store_.forgetting().tombstones_of(cid);
  if (!tombstones) return false;
  return std::ranges::any_of(*tombstones, [&](const Cid& tombstone) {
    // The store's own list only helps to find it: the signed tombstone decides.
    const std::optional<Judged>& judged = judge(tombstone);
    if (!judged || !judged->tombstone.lists(cid)) return false;
    if (judged->verdict != Verdict::foreign) return true;
    return judged->tombstone.find_sealed(cid) ? is_held_only_by(cid, judged->creator)
                                              : is_mentioned_only_by(cid, judged->creator);
  });
}

const std::optional<Tombstones::Judged>& Tombstones::judge(const Cid& tombstone) {
  const auto [found, is_new] = judged_.try_emplace(tombstone);
  if (!is_new) return found->second;
  const Result<Thought> thought = store_.get(tombstone);
  if (!thought) return found->second;
  const Result<Thought> creator = store_.get(thought->created_by);
  thought::Witnesses witnesses(keyring_);
  if (!creator || !thought::is_identity(*creator) || !witnesses.add(*creator)) return found->second;
  const Result<Verdict> verdict = witnesses.check(*thought);
  Result<thought::Tombstone> content = thought::to_tombstone(*thought);
  if (verdict && content) {
    found->second = Judged{*std::move(content), *verdict, thought->created_by};
  }
  return found->second;
}

bool Tombstones::is_mentioned_only_by(const Cid& cid, const Cid& creator) const {
  const Result<std::vector<thought::Connection>> edges =
      store_.connections(cid, std::nullopt, store::Direction::both);
  const Result<std::vector<Cid>> effects = store_.effects(cid);
  if (!edges || !effects || (edges->empty() && effects->empty())) return false;
  return std::ranges::all_of(
             *edges, [&](const thought::Connection& edge) { return edge.created_by == creator; }) &&
         std::ranges::all_of(*effects, [&](const Cid& effect) {
           const Result<Thought> thought = store_.get(effect);
           return thought && thought->created_by == creator;
         });
}

// What rests on a sealed thought was said by others, in conversations of its owner's.
bool Tombstones::is_held_only_by(const Cid& cid, const Cid& creator) const {
  const Result<std::vector<thought::Connection>> edges =
      store_.connections(cid, std::nullopt, store::Direction::both);
  const Result<std::vector<Cid>> holders = store_.forgetting().holders(cid);
  if (!edges || !holders || holders->empty()) return false;
  return std::ranges::all_of(
             *edges, [&](const thought::Connection& edge) { return edge.created_by == creator; }) &&
         std::ranges::all_of(*holders, [&](const Cid& holder) {
           const Result<store::ConversationRow> row = store_.conversation(holder);
           return row && row->created_by == creator;
         });
}

}  // namespace weft::query
