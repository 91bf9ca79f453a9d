// Changes: wakes a follower when something was committed to a store, by any process.
//
//   const auto changes = store.changes();
//   while (poll(changes->descriptor(), …)) changes->clear(), read_what_is_new();
#pragma once

namespace weft::store {

// A commit becomes readable a moment after its notice. A follower waits this long before it reads,
// and reads once more when there are no more notices.
inline constexpr int kChangeDelayMs = 50;
// Where the system reports no changes, a follower reads this often.
inline constexpr int kChangePollMs = 1'000;

// For one thread. Use it only while its store is open.
class Changes {
 public:
  virtual ~Changes() = default;

  // Becomes readable when something was committed since clear(). May also wake for nothing. -1 if
  // the system gives no notices: the follower then looks at intervals.
  virtual int descriptor() const = 0;
  virtual void clear() = 0;
};

}  // namespace weft::store
