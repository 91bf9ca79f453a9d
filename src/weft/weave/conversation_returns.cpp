// Connects the response of a subagent to what its call returned: `returns` (docs/design.md,
// "Connections"). The call's conversation marks each outcome of the call; the subagent's
// conversation weaves and signs the edges, whichever of the two is read first.
#include "weft/base/try.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {
namespace {

// Outcomes of one call that are marked. An agent that is resumed several times has several.
constexpr std::uint64_t kMostOutcomes = 16;

}  // namespace

Result<std::optional<Mark>> ConversationWeaver::find_mark(const PlaceKey& key) const {
  const auto pending = pending_.marks.find(key);
  if (pending != pending_.marks.end()) return pending->second.mark;
  return known_web_.find_mark(key);
}

void ConversationWeaver::add_mark(const Mark& mark) {
  pending_.marks.emplace(mark.key, Pending::Marked{mark, this});
  unit_.marks.push_back(mark);
}

PlaceKey ConversationWeaver::outcome_key(const Cid& call, std::uint64_t number) const {
  return key_of(identities_.keyring(), {"outcome", call.str(), number});
}

// A result comes after the call was noted as spawning, as a rule.
void ConversationWeaver::note_outcome(const transcript::Block& block) {
  const auto* result = std::get_if<transcript::ToolResult>(&block.body);
  if (result == nullptr) return;
  const auto spawning = tracker_.spawning(result->call_id);
  if (spawning && spawning->result) outcomes_.push_back({spawning->call.cid, *spawning->result});
}

// The source may say after the result that the agent runs in the background.
void ConversationWeaver::note_outcome(const CauseTracker::Spawning& spawning, bool in_background) {
  if (in_background) {
    std::erase_if(outcomes_,
                  [&](const Outcome& outcome) { return outcome.call == spawning.call.cid; });
  } else if (spawning.result) {
    outcomes_.push_back({spawning.call.cid, *spawning.result});
  }
}

// It may come after the tracker has dropped the call, which is still marked then.
Status ConversationWeaver::note_notification(std::string_view call_id, const PlaceKey& key) {
  const std::optional<Ref> last = tracker_.end().last;
  if (!last) return {};
  if (const auto spawning = tracker_.spawning(call_id)) {
    outcomes_.push_back({spawning->call.cid, *last});
    return {};
  }
  WEFT_TRY_VALUE(const auto mark, find_mark(key));
  if (mark) outcomes_.push_back({mark->call, *last});
  return {};
}

Result<std::vector<Cid>> ConversationWeaver::mark_outcomes() {
  std::vector<Cid> calls;
  for (const Outcome& outcome : std::exchange(outcomes_, {})) {
    if (outcome.block.time <= 0) continue;
    for (std::uint64_t number = 0; number < kMostOutcomes; ++number) {
      const PlaceKey key = outcome_key(outcome.call, number);
      WEFT_TRY_VALUE(const auto known, find_mark(key));
      if (known && known->call == outcome.block.cid) break;
      if (known) continue;
      add_mark({.key = key, .call = outcome.block.cid, .time = outcome.block.time});
      calls.push_back(outcome.call);
      break;
    }
  }
  return calls;
}

// New responses come after the known ones, so of equal times they are the last.
Result<std::optional<Ref>> ConversationWeaver::find_response(Millis until) const {
  std::optional<Ref> best;
  if (committed_before_) {
    WEFT_TRY_VALUE(const auto known, known_web_.find_response(*conversation_, until));
    if (known) best = Ref{.cid = known->cid, .kind = Kind::response, .time = known->time};
  }
  for (const Ref& response : new_responses_) {
    if (response.time <= until && (!best || response.time >= best->time)) best = response;
  }
  return best;
}

// The key of the next outcome stays unmarked until this is committed: so two processes that read
// both ends at once cannot miss each other.
Status ConversationWeaver::weave_returns(const Cid& call) {
  for (std::uint64_t number = 0; number < kMostOutcomes; ++number) {
    const PlaceKey key = outcome_key(call, number);
    WEFT_TRY_VALUE(const auto outcome, find_mark(key));
    if (!outcome) {
      unit_.unmarked.push_back(key);
      return {};
    }
    WEFT_TRY_VALUE(const auto response, find_response(outcome->time));
    if (!response) continue;
    const Ref to{.cid = outcome->call, .time = outcome->time, .shared = true};
    WEFT_TRY_VALUE(const bool is_joined, knows(cid_of(edge("returns", *response, to, {}))));
    if (!is_joined) WEFT_TRY(connect("returns", *response, to, {}, *response));
  }
  return {};
}

}  // namespace weft::weave
