// What a command that follows the sources tells of it, as it happens: for `weft watch` and
// `weft up`.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "weft/cli/app/context.hpp"
#include "weft/cli/follow/growth.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/ingest/follow/background_ingest.hpp"
#include "weft/ingest/follow/store_notices.hpp"

namespace weft::cli {

// Called by the keeper's thread and by that of the command; one of them speaks at a time.
class StoreWatch {
 public:
  // What is told: each once, in order. Called with the lock held.
  struct Told {
    std::function<void(const ingest::Report&)> following{};  // what was there is taken in
    std::function<void()> waiting{};                         // another process does it
    std::function<void(const Grown&)> grew{};
  };
  // `context` outlives it.
  StoreWatch(const Context& context, Told told);

  // Before the keeper begins. What `library` stands on outlives it. It ends when `stop` becomes
  // readable.
  void open(const query::Library& library, int stop);
  ingest::IngestCallbacks calls();
  std::function<void(const ingest::Progress&)> progress();

  // Tells what grows, until it is to end, or stdout breaks.
  void run();

 private:
  bool may_speak() const;     // waits for who reads; false if it is to end
  void know_what_is_there();  // with the lock held
  bool look();                // false if it is to end

  const Context& context_;
  const Told told_;
  int stop_ = -1;
  std::mutex mutex_;
  ProgressLine line_;             // guarded by mutex_
  std::optional<Growth> growth_;  // guarded by mutex_
  bool reports_growth_ = false;   // guarded by mutex_: what was there is known
};

}  // namespace weft::cli
