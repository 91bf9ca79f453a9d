// Background ingest. Imports existing sources, then follows changes. Starts on the first begin() or
// refresh(). Of several processes with one home, only the one that holds the lock file ingests, as
// long as it lives; the others read what it commits, and one of them takes over when it exits.
//
// The ingesting process keeps one Ingester from its first batch to its end. Between batches all
// threads wait.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "weft/ingest/ingest.hpp"

namespace weft::ingest {

// Called on the background thread, one at a time, and not after stop(). Each may be null.
struct IngestCallbacks {
  // After every batch that looked at conversations: these, with the number of new thoughts, which
  // is zero where another process was faster.
  std::function<void(const Report&)> on_ingested{};
  // All existing sources are ingested; changes are followed from now on.
  std::function<void(const Report&)> on_following{};
  // Another process holds the lock file, and ingests.
  std::function<void()> on_waiting{};
  // Called with the number of folders that are polled every second, because the system has no
  // watches left for them.
  // Called once.
  std::function<void(std::size_t folders)> on_polling{};
  // A batch failed, and is tried again later.
  std::function<void(const Error&)> on_failure{};
};

class BackgroundIngest {
 public:
  // `store` and `keyring` outlive it; `keyring` can sign. Folders need not exist yet. At most
  // `most_watches` are asked of the system.
  BackgroundIngest(store::Store& store, const crypto::Keyring& keyring, Options options,
                   std::filesystem::path lock, IngestCallbacks calls = {},
                   std::size_t most_watches = std::numeric_limits<std::size_t>::max());
  ~BackgroundIngest();  // stop()
  BackgroundIngest(const BackgroundIngest&) = delete;
  BackgroundIngest& operator=(const BackgroundIngest&) = delete;

  // Starts to ingest and to follow. Later calls do nothing.
  void begin();
  // begin(); the first call waits up to 250 ms for existing sources to be ingested. Later calls
  // cost nothing, because changes are followed anyway.
  void refresh();

  // The progress of the first batch while it runs; empty before and after.
  std::optional<Progress> first_progress() const;
  // Why the last batch failed; empty if it did not.
  std::optional<Error> failure() const;

  // Stops the current batch at its next commit, and begins no other.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::ingest
