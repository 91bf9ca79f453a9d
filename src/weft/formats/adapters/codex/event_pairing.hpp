// Items and events that say the same: which of the two is told.
//
// The item is the truth, so an event waits until its item comes, and is dropped as a mirror;
// if something comes that no longer lets it come, the event is told itself. Events come
// before their items as often as after them. An item takes over the place of the event that
// waited for it, so that an event which was told because the file ended there is restated,
// not repeated, when the file goes on.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/adapters/codex/pending_event.hpp"

namespace weft::formats::codex {

class EventPairing {
 public:
  // Waiting events are in the reader's state, so they are few and short; those beyond are
  // told at once, and their items dropped instead.
  static constexpr std::size_t kMaxPending = 16;
  static constexpr std::size_t kMaxPendingBytes = 32u << 10;
  // Of items without events and events without items. One whose other half comes later than
  // that is told twice.
  static constexpr std::size_t kMostUnpaired = 32;

  // Whether an item has said what the event says. It has no other mirror then.
  bool take_item_of(const Utterance& event);
  // Whether an event that was told has said what the item says.
  bool take_event_of(const Utterance& item);

  // Whether it may wait. If not, it is to be told.
  bool may_hold(const Utterance& event) const;
  void hold(PendingEvent event);
  // The event was told itself.
  void emitted(const Utterance& event);

  // Which waiting events an item ends the waiting of. Those of `mirrors` say the same as the
  // item; those of `tell` came before and have no item.
  struct Ended {
    std::vector<PendingEvent> emit, mirrors;
  };
  Ended item_came(const Utterance& item);
  // All of them: nothing that follows can be their item.
  std::vector<PendingEvent> release();
  const std::deque<PendingEvent>& pending() const { return pending_; }

  // Reasoning that came in several events in a row was one thought.
  static std::vector<PendingEvent> joined(std::vector<PendingEvent> events);

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  struct Unpaired {
    Voice voice = Voice::none;
    std::int64_t hash = 0;
    bool is_fresh = true;  // the other side has not spoken since
  };
  using Window = std::deque<Unpaired>;
  static void add(Window& window, const Utterance& utterance);
  static bool take(Window& window, const Utterance& utterance, bool by_position);

  std::deque<PendingEvent> pending_;
  Window items_, events_;
};

}  // namespace weft::formats::codex
