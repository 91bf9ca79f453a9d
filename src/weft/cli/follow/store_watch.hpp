// Reports the events of background ingest and the growth of the store: for `weft watch` and `weft
// up`.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "weft/cli/app/context.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/ingest/follow/background_ingest.hpp"
#include "weft/query/change_feed.hpp"

namespace weft::cli {

// Called by the thread of the background ingest and by that of the command; one of them prints at a
// time.
class StoreWatch {
 public:
  // Called with the lock held, so never two at a time; `grew` for each conversation that grew.
  struct Callbacks {
    std::function<void(const ingest::Report&)> following{};  // existing sources are ingested
    std::function<void()> waiting{};                         // another process ingests
    std::function<void(const query::GrownConversation&)> grew{};
  };
  // `context` outlives it.
  StoreWatch(const Context& context, Callbacks callbacks);

  // Call it before the background ingest begins. `store` and what `library` refers to outlive it.
  // run() returns when `stop` becomes readable.
  void open(const store::Store& store, const query::Library& library, int stop);
  ingest::IngestCallbacks calls();
  std::function<void(const ingest::Progress&)> progress();

  // Reports growth until `stop` becomes readable or stdout fails.
  void run();

 private:
  bool wait_for_output() const;  // waits until stdout is writable; false if it is to stop
  void record_present_state();   // with the lock held
  bool look();                   // false if it is to stop

  const Context& context_;
  const Callbacks callbacks_;
  const store::Store* store_ = nullptr;  // from open() on
  int stop_ = -1;
  std::mutex mutex_;
  ProgressLine line_;                         // guarded by mutex_
  std::optional<query::ChangeFeed> changes_;  // guarded by mutex_
  bool reports_growth_ = false;               // guarded by mutex_: the initial state is known
};

}  // namespace weft::cli
