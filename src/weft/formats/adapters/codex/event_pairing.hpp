// Pairs items and events with the same content, so that only one of the two is emitted.
//
// The item is authoritative: an event waits for its item and is dropped as a mirror when that
// comes. If a record shows that the item cannot come any more, the event is emitted itself. Events
// come before their items as often as after them. An item has the place of the event that waited
// for it: if that event was emitted because the file ended there, the item replaces it when the
// file grows.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "weft/base/state_archive.hpp"
#include "weft/formats/adapters/codex/pending_event.hpp"

namespace weft::formats::codex {

class EventPairing {
 public:
  // Pending events are in the reader's state, so they are few and short. Beyond these limits an
  // event is emitted at once, and its item is dropped instead.
  static constexpr std::size_t kMaxPending = 16;
  static constexpr std::size_t kMaxPendingBytes = 32u << 10;
  // Items without events and events without items that are remembered. Content whose other half
  // comes later is emitted twice.
  static constexpr std::size_t kMostUnpaired = 32;

  // Whether an item with the content of this event was emitted; that item is then paired.
  bool match_item(const ItemContent& event);
  // Whether an event with the content of this item was emitted; that event is then paired.
  bool match_event(const ItemContent& item);

  // Whether the event is within the limits. If not, the caller emits it.
  bool can_wait(const ItemContent& event) const;
  void wait(PendingEvent event);
  // The caller has emitted the event.
  void note_emitted(const ItemContent& event);

  // Removes the pending events that an item settles. Those of `mirrors` have the same content as
  // the item; those of `emit` came before and have no item.
  struct Resolved {
    std::vector<PendingEvent> emit, mirrors;
  };
  Resolved resolve(const ItemContent& item);
  // Removes and returns all pending events: no item follows for them.
  std::vector<PendingEvent> release();
  const std::deque<PendingEvent>& pending() const { return pending_; }

  // Joins reasoning that came in several events in a row.
  static std::vector<PendingEvent> join_reasoning(std::vector<PendingEvent> events);

  void archive(StateArchive& a);

 private:
  struct Unpaired {
    PairKind pair_kind = PairKind::none;
    std::int64_t hash = 0;
    bool is_fresh = true;  // no item of the other side came since
    friend auto state_row(Unpaired& one) {
      return state_cells(one.pair_kind, one.hash, one.is_fresh);
    }
  };
  using Window = std::deque<Unpaired>;
  static void add(Window& window, const ItemContent& content);
  static bool take(Window& window, const ItemContent& content, bool by_position);

  std::deque<PendingEvent> pending_;
  Window items_, events_;
};

}  // namespace weft::formats::codex
