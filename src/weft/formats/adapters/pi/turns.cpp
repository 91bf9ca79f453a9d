#include "weft/formats/adapters/pi/turns.hpp"

#include <utility>

#include "weft/base/state_archive.hpp"

namespace weft::formats::pi {
namespace {

// As it is saved.
struct Tip {
  Seat& seat;
  void archive(StateArchive& a) {
    a.field("told", seat.content);
    a.field("turn", seat.turn);
  }
};

}  // namespace

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

void TreeTurns::archive(StateArchive& a) {
  a.field("window", window_);
  Tip tip{tip_};
  a.field("tip", tip);
  a.field("told", last_emitted_);
  turns_.archive(a);
}

}  // namespace weft::formats::pi
