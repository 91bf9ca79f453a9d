// Keeps a store up to date with its sources, in the background: takes in what is there, and from
// then on what changes, as it changes.
//
// Nothing happens before it is asked for. Of several processes with one home, the one that holds
// the lock file takes in and follows, as long as it lives; the others read what it took in, and
// one of them goes on when it is gone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "weft/ingest/ingest.hpp"

namespace weft::ingest {

// What its owner is told, on the keeper's own thread, one thing at a time, and not after stop().
// Each may be null.
struct IngestCallbacks {
  // After every ingest that looked at conversations: these, with what is new of them. Of some
  // nothing may be, where another process was faster.
  std::function<void(const Report&)> on_ingested{};
  // All that was there is taken in; what changes is followed from now on.
  std::function<void(const Report&)> on_following{};
  // Another process holds the lock file, and takes in.
  std::function<void()> on_waiting{};
  // So many folders have to be looked at every second, for the system has no watches left for
  // them; told once.
  std::function<void(std::size_t folders)> on_polling{};
  // Why taking in failed; it is tried again.
  std::function<void(const Error&)> on_failure{};
};

class BackgroundIngest {
 public:
  // All but `options`, `lock` and `calls` outlive it. `keyring` can sign. Folders that are not
  // there (yet) are fine. No more than `most_watches` are asked of the system.
  BackgroundIngest(store::Store& store, const crypto::Keyring& keyring, Options options,
                   std::filesystem::path lock, IngestCallbacks calls = {},
                   std::size_t most_watches = std::numeric_limits<std::size_t>::max());
  ~BackgroundIngest();  // stop()
  BackgroundIngest(const BackgroundIngest&) = delete;
  BackgroundIngest& operator=(const BackgroundIngest&) = delete;

  // Begins to take in and to follow, unless it has begun.
  void begin();
  // begin(); the first time, waits a moment for what is there to be taken in. Afterwards it costs
  // nothing: what changes is taken in anyway.
  void refresh();

  // How far the first ingest is, as long as it is under way; empty before and after.
  std::optional<Progress> first_progress() const;
  // Why the last one failed; empty if it did not.
  std::optional<Error> failure() const;

  // What is under way is cut short at the next commit, and nothing begins any more.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::ingest
