// The turns of a conversation: opened, closed and resumed, and the positions of their blocks.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {

void ConversationWeaver::turn(const transcript::TurnHead& head) {
  announced_turn_.reset();
  if (turn_ && turn_->head.source_id == head.source_id) return;  // it continues
  if (turn_) {
    turn_->end = tracker_.end();
    left_turns_.push_back(*std::exchange(turn_, std::nullopt));
    if (left_turns_.size() > kLeftTurns) left_turns_.pop_front();
  }
  announced_turn_ = head;
}

Status ConversationWeaver::begin_turn(Millis time) {
  transcript::TurnHead head = announced_turn_.value_or(transcript::TurnHead{});
  announced_turn_.reset();
  met_blocks_.clear();
  std::optional<OpenTurn> parent;
  const bool is_root = head.parent && head.parent->empty();
  if (head.parent && !is_root) {
    WEFT_TRY_VALUE(parent, find_turn(*head.parent));
  }
  WEFT_TRY_VALUE(auto known, find_turn(head.source_id));
  if (!known) {
    WEFT_TRY_VALUE(known, find_unnamed_turn(head, time, parent));
  }
  const bool was_left = std::ranges::any_of(
      left_turns_, [&](const OpenTurn& turn) { return turn.head.source_id == head.source_id; });
  const bool was_met = is_resumed_ && known && (!latest_turn_ || known->sequence <= *latest_turn_);
  const bool came_back = was_left || was_met;
  if (!came_back) {
    if (parent || is_root) {
      WEFT_TRY_VALUE(const TurnEnd end, parent ? end_of(*parent) : TurnEnd{});
      tracker_.open_branch(head.role, end);
    } else {
      tracker_.open_turn(head.role);
    }
  }
  if (known) {
    turn_ = *known;
    met_turns_.insert(known->ref.cid);
    latest_turn_ = std::max(latest_turn_.value_or(0), known->sequence);
    std::erase_if(left_turns_,
                  [&](const OpenTurn& turn) { return turn.head.source_id == head.source_id; });
    return {};
  }
  thought::Thought thought;
  thought.type = heading_.family + "/turn";
  thought.created_by = identities_.owner().cid;
  thought.created_at = time;
  const std::uint64_t sequence = next_sequence_++;
  thought.content = {{"conversation", conversation_->str()},
                     {"role", transcript::to_string(head.role)},
                     {"sequence", sequence}};
  if (!head.counted) thought.content["source_id"] = head.source_id;
  if (parent) thought.content["parent"] = parent->ref.cid.str();
  thought.cid = cid_of(thought);
  turn_ = {head, {.cid = thought.cid, .time = time}, 0, {}, sequence};
  latest_turn_ = sequence;
  unit_.leaves.push_back(thought.cid);
  add(std::move(thought), nullptr);
  WEFT_TRY(connect("contains", {.cid = *conversation_, .time = conversation_time_}, turn_->ref, {},
                   turn_->ref, sequence));
  note_place(place_key("turn", head.source_id, 0), turn_->ref.cid);
  return {};
}

Result<std::optional<ConversationWeaver::OpenTurn>> ConversationWeaver::find_turn(
    const std::string& source_id) const {
  const auto left = std::ranges::find_if(
      left_turns_, [&](const OpenTurn& turn) { return turn.head.source_id == source_id; });
  if (left != left_turns_.end()) return *left;
  WEFT_TRY_VALUE(const auto current, find_place(place_key("turn", source_id, 0)));
  if (!current) return std::nullopt;
  WEFT_TRY_VALUE(const auto thought, find_thought(*current));
  if (!thought) return std::nullopt;
  const std::optional<transcript::Role> role =
      transcript::parse_role(find_string(thought->content, "role").value_or(""));
  return OpenTurn{
      .head = {.role = role.value_or(transcript::Role::system),
               .source_id = source_id,
               .counted = !thought->content.contains("source_id")},
      .ref = {.cid = *current, .time = thought->created_at, .shared = true},
      .sequence = static_cast<std::uint64_t>(find_int(thought->content, "sequence").value_or(0))};
}

// The end of a turn that is no longer in memory is computed from its contents.
Result<TurnEnd> ConversationWeaver::end_of(const OpenTurn& turn) const {
  if (turn.end.last) return turn.end;
  TurnEnd end{.role = turn.head.role};
  const auto note = [&](const Cid& cid, const thought::Thought& thought) {
    const bool stands_aside =
        turn.head.role == transcript::Role::human && thought::kind_of(thought.type) == "summary";
    if (stands_aside) return;
    Ref ref{.cid = cid,
            .kind = kind_of(thought::kind_of(thought.type), turn.head.role),
            .time = thought.created_at,
            .shared = true};
    if (ref.kind == Kind::response) end.response = ref;
    if (turn.head.role == transcript::Role::human) end.inputs.push_back(ref);
    end.last = ref;
  };
  WEFT_TRY_VALUE(const auto contents, known_web_.contents(turn.ref.cid));
  for (const thought::Connection& edge : contents) {
    WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, edge.to));
    if (thought) note(edge.to, *thought);
  }
  for (const thought::Connection& edge : unit_.connections) {
    if (edge.relation != "contains" || edge.from != turn.ref.cid) continue;
    const auto pending = in_unit_.find(edge.to);
    if (pending != in_unit_.end()) note(edge.to, unit_.thoughts[pending->second]);
  }
  return end;
}

Result<std::uint64_t> ConversationWeaver::next_position() {
  if (!turn_->next_index) {
    std::uint64_t next = 0;
    const auto count = [&](const thought::Connection& edge) {
      if (edge.index) next = std::max(next, *edge.index + 1);
    };
    WEFT_TRY_VALUE(const auto contents, known_web_.contents(turn_->ref.cid));
    for (const thought::Connection& edge : contents) count(edge);
    for (const thought::Connection& edge : unit_.connections) {
      if (edge.relation == "contains" && edge.from == turn_->ref.cid) count(edge);
    }
    turn_->next_index = next;
  }
  return (*turn_->next_index)++;
}

Result<std::uint64_t> ConversationWeaver::position_of(const Cid& block) {
  const auto is_it = [&](const thought::Connection& edge) {
    return edge.to == block && edge.from == turn_->ref.cid && edge.relation == "contains";
  };
  const auto pending =
      std::ranges::find_if(unit_.connections.rbegin(), unit_.connections.rend(), is_it);
  if (pending != unit_.connections.rend()) return pending->index.value_or(0);
  WEFT_TRY_VALUE(const auto contents, known_web_.contents(turn_->ref.cid));
  const auto found = std::ranges::find_if(contents, is_it);
  if (found == contents.end()) return next_position();
  return found->index.value_or(0);
}

}  // namespace weft::weave
