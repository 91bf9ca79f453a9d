#include "weft/formats/adapters/pi/turns.hpp"

#include <utility>

namespace weft::formats::pi {

Seat TreeTurns::parent_of(const Entry& entry) const {
  if (entry.follows == Entry::Follows::nothing) return {};
  if (entry.follows == Entry::Follows::named) {
    if (const Seat* seat = window_.find(entry.parent)) return *seat;
  }
  // The parent may be the session, or a tool call, or long ago.
  return tip_;
}

void TreeTurns::settle(const Entry& entry, Print print, Seat seat) {
  if (entry.id) window_.add(*entry.id, print, seat);
  tip_ = std::move(seat);
}

void TreeTurns::bridge(const Entry& entry, Print print) { settle(entry, print, parent_of(entry)); }

void TreeTurns::emit(const Entry& entry, Print print, std::uint64_t number, RecordContent content,
                     transcript::Sink& sink) {
  Seat parent = parent_of(entry);
  // A second root follows none: its parent's turn is "".
  const bool is_branch = last_emitted_ != 0 && parent.content != last_emitted_;
  if (is_branch) turns_.follow(std::move(parent.turn));
  // An id that stands for another entry already cannot be a place a second time.
  const bool is_named = entry.id && window_.seen(print) == EntryWindow::Seen::no;
  content.place = is_named ? std::string(*entry.id) : "#" + std::to_string(number);
  turns_.emit(std::move(content), sink);
  last_emitted_ = number;
  settle(entry, print, {number, turns_.turn_id()});
}

json::object TreeTurns::save() const {
  json::object state{{"window", window_.save()},
                     {"tip", json::object{{"told", tip_.content}, {"turn", tip_.turn}}},
                     {"told", last_emitted_}};
  turns_.save_to(state);
  return state;
}

bool TreeTurns::restore(const json::object& state) {
  const json::object* window = find_object(state, "window");
  const json::object* tip = find_object(state, "tip");
  const auto last = find_int(state, "told");
  if (window == nullptr || tip == nullptr || !last || *last < 0) return false;
  const auto tip_record = find_int(*tip, "told");
  const auto tip_turn = find_string(*tip, "turn");
  if (!tip_record || *tip_record < 0 || !tip_turn) return false;
  TreeTurns restored;
  if (!restored.window_.restore(*window) || !restored.turns_.restore_from(state)) return false;
  restored.last_emitted_ = static_cast<std::uint64_t>(*last);
  restored.tip_ = {static_cast<std::uint64_t>(*tip_record), std::string(*tip_turn)};
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::pi
