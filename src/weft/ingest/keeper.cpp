#include "weft/ingest/keeper.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace weft::ingest {
namespace {

using Clock = std::chrono::steady_clock;

// How long the first who asks waits for what is new, and how soon it is looked for again.
constexpr std::chrono::milliseconds kFirstWait{250};
constexpr std::chrono::milliseconds kBetween{2'000};

// Held by the process that takes in; given back when that process ends, however it ends.
class LockFile {
 public:
  explicit LockFile(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
  ~LockFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  bool try_hold() const { return descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }
  void let_go() const { ::flock(descriptor_, LOCK_UN); }

 private:
  int descriptor_;
};

}  // namespace

struct Keeper::Parts {
  store::Store& store;
  const crypto::Keyring& keyring;
  Options options;
  std::filesystem::path lock_path;

  mutable std::mutex mutex;
  std::condition_variable changed;
  bool is_wanted = false;              // guarded by mutex
  bool is_running = false;             // guarded by mutex
  bool is_first = true;                // guarded by mutex: none has come to its end yet
  Clock::time_point last{};            // guarded by mutex: when one ended
  std::optional<Progress> progress{};  // guarded by mutex
  std::optional<Error> failure{};      // guarded by mutex
  std::stop_source stop{};
  std::thread thread{};  // guarded by mutex; begun when it is first asked for

  void run();
  void take_in();
};

void Keeper::Parts::take_in() {
  const LockFile lock(lock_path);
  if (!lock.try_hold()) return;  // another one is at it
  Options what = options;
  what.stop = stop.get_token();
  what.at_once = std::max(2u, std::thread::hardware_concurrency()) - 1;  // one is for who asks
  what.progress = [this](const Progress& now) {
    const std::scoped_lock held(mutex);
    if (is_first) progress = now;
  };
  const Result<Report> report = ingest(store, keyring, what);
  lock.let_go();
  const std::scoped_lock held(mutex);
  failure = report ? std::optional<Error>() : report.error();
}

void Keeper::Parts::run() {
  std::unique_lock held(mutex);
  for (;;) {
    changed.wait(held, [&] { return is_wanted || stop.stop_requested(); });
    if (stop.stop_requested()) return;
    is_wanted = false;
    is_running = true;
    held.unlock();
    take_in();
    held.lock();
    is_running = is_first = false;
    progress.reset();
    last = Clock::now();
    changed.notify_all();
  }
}

Keeper::Keeper(store::Store& store, const crypto::Keyring& keyring, Options options,
               std::filesystem::path lock)
    : parts_(new Parts{store, keyring, std::move(options), std::move(lock)}) {}

Keeper::~Keeper() { stop(); }

void Keeper::refresh() {
  Parts& parts = *parts_;
  if (parts.options.folders.empty() && parts.options.paths.empty()) return;
  std::unique_lock held(parts.mutex);
  if (parts.stop.stop_requested() || parts.is_wanted) return;
  if (!parts.is_running && (parts.is_first || Clock::now() - parts.last >= kBetween)) {
    parts.is_wanted = true;
    if (parts.is_first) parts.progress = Progress{};
    if (!parts.thread.joinable()) parts.thread = std::thread([&parts] { parts.run(); });
    parts.changed.notify_all();
  }
  if (!parts.is_first) return;
  parts.changed.wait_for(held, kFirstWait,
                         [&] { return !parts.is_first || parts.stop.stop_requested(); });
}

std::optional<Progress> Keeper::first_progress() const {
  const std::scoped_lock held(parts_->mutex);
  return parts_->progress;
}

std::optional<Error> Keeper::failure() const {
  const std::scoped_lock held(parts_->mutex);
  return parts_->failure;
}

void Keeper::stop() {
  parts_->stop.request_stop();
  std::thread thread;
  {
    const std::scoped_lock held(parts_->mutex);
    parts_->changed.notify_all();
    thread = std::move(parts_->thread);
  }
  if (thread.joinable()) thread.join();
}

}  // namespace weft::ingest
