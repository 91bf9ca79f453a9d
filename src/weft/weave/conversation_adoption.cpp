// Places without keys. Keys are made from the ids of a source and stay on the machine that read it:
// what came by import, or stands in a chain that another machine wove, is found again here by what
// it is, and gets its key.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {

void ConversationWeaver::note_place(const PlaceKey& key, const Cid& thought) {
  new_places_[key] = thought;
  unit_.places.push_back({key, thought});
}

// Reads the turns of the web only where it has some that this reading of the source has not come
// to.
Result<std::optional<ConversationWeaver::OpenTurn>> ConversationWeaver::find_unnamed_turn(
    const transcript::TurnHead& head, Millis time, const std::optional<OpenTurn>& parent) {
  const std::uint64_t expected = latest_turn_ ? *latest_turn_ + 1 : 0;
  if (!committed_before_ || next_sequence_ <= expected) return std::nullopt;
  WEFT_TRY(load_unnamed_turns());
  for (const UnnamedTurn& turn : unnamed_turns_) {
    const bool is_in_order = time > 0 || turn.sequence == expected;
    const bool is_it = is_in_order && !met_turns_.contains(turn.cid) && turn.time == time &&
                       turn.role == head.role &&
                       turn.source_id == (head.counted ? "" : head.source_id) &&
                       turn.parent == (parent ? std::optional(parent->ref.cid) : std::nullopt);
    if (!is_it) continue;
    note_place(place_key("turn", head.source_id, 0), turn.cid);
    return OpenTurn{.head = head,
                    .ref = {.cid = turn.cid, .time = turn.time, .shared = true},
                    .sequence = turn.sequence};
  }
  return std::nullopt;
}

Status ConversationWeaver::load_unnamed_turns() {
  if (std::exchange(are_turns_loaded_, true)) return {};
  WEFT_TRY_VALUE(const auto edges, known_web_.contents(*conversation_));
  for (const thought::Connection& edge : edges) {
    WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, edge.to));
    if (!thought) continue;
    const auto role = transcript::parse_role(find_string(thought->content, "role").value_or(""));
    const auto sequence = find_int(thought->content, "sequence");
    if (!role || !sequence) continue;
    UnnamedTurn turn{
        .cid = edge.to,
        .role = *role,
        .source_id = std::string(find_string(thought->content, "source_id").value_or("")),
        .time = thought->created_at,
        .sequence = static_cast<std::uint64_t>(*sequence)};
    const auto parent = Cid::parse(find_string(thought->content, "parent").value_or(""));
    if (parent) turn.parent = *parent;
    unnamed_turns_.push_back(std::move(turn));
  }
  return {};
}

// Whether the open turn has this thought at a place that no block of this reading stands at. Then
// it is the place of `key`. A thought that was superseded stood at a place that has its key.
Result<bool> ConversationWeaver::adopt_place(const PlaceKey& key, const Cid& thought) {
  if (!turn_->ref.shared || !committed_before_) return false;
  WEFT_TRY_VALUE(const bool is_known, knows(thought));
  if (!is_known) return false;
  WEFT_TRY_VALUE(const auto newer,
                 known_web_.neighbours(identities_.owner().cid, thought, "supersedes", End::to));
  if (!newer.empty()) return false;
  WEFT_TRY_VALUE(const auto contents, known_web_.contents(turn_->ref.cid));
  // Of a turn that a saved state resumed, what comes before was read before.
  const std::uint64_t from = is_resumed_ ? turn_->next_index.value_or(0) : 0;
  std::size_t met = 0;
  if (const auto found = met_blocks_.find(thought); found != met_blocks_.end()) met = found->second;
  for (const thought::Connection& edge : contents) {
    if (edge.to != thought || edge.index.value_or(0) < from) continue;
    if (met > 0) {
      --met;
      continue;
    }
    if (turn_->next_index) {
      turn_->next_index = std::max(*turn_->next_index, edge.index.value_or(0) + 1);
    }
    note_place(key, thought);
    return true;
  }
  return false;
}

}  // namespace weft::weave
