#include "weft/ingest/follow/background_ingest.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include "weft/ingest/discover/watcher.hpp"
#include "weft/ingest/follow/async_file_lock.hpp"

namespace weft::ingest {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using Ms = std::chrono::milliseconds;

// How long the first refresh() waits.
constexpr Ms kFirstWait{250};
// A change is ingested this long after its notice, so that a line written in several pieces is one
// change; and batches begin at least this far apart, so that several sessions share a commit.
constexpr Ms kSoon{10}, kBetween{100};
// After a batch, it rests for as long as the batch took, so that others get to work; up to this.
constexpr Ms kLongestRest{2'000};
constexpr Ms kPollEvery{1'000};
// Between two steps of filling tables it rests for as long as a step takes.
constexpr Ms kFillRest{50};
constexpr Ms kFirstRetry{500}, kLastRetry{60'000};

// Whether a database of this format takes precedence over files: then neither can be ingested
// without looking at the other.
bool database_wins(const formats::Adapter* adapter) {
  const formats::DatabaseShape* shape = adapter == nullptr ? nullptr : adapter->database;
  for (; shape != nullptr; shape = shape->otherwise) {
    if (shape->wins) return true;
  }
  return false;
}

}  // namespace

struct BackgroundIngest::Parts {
  store::Store& store;
  const crypto::Keyring& keyring;
  const Options options;
  const std::filesystem::path lock_path;
  const IngestCallbacks calls;
  const std::size_t most_watches;

  mutable std::mutex mutex{};
  std::condition_variable changed{};
  bool has_begun = false;              // guarded by mutex
  bool is_first = true;                // guarded by mutex: none has come to its end yet
  std::optional<Progress> progress{};  // guarded by mutex
  std::optional<Error> failure{};      // guarded by mutex
  std::thread thread{};                // guarded by mutex
  std::stop_source stop{};
  asio::io_context io{1};

  // All below: the background thread alone.
  std::optional<Ingester> ingester{};  // from the first batch on
  std::optional<AsyncFileLock> lock{};
  std::optional<Watcher> watcher{};
  std::optional<asio::posix::stream_descriptor> notices{};
  asio::steady_timer due{io}, next_poll{io}, next_fill{io};
  bool is_due = false;           // `due` runs
  bool wants_everything = true;  // else only `pending`
  std::map<std::filesystem::path, Found> pending{};
  Clock::time_point rests_until{};
  Ms retry = kFirstRetry;
  bool has_lock = false, is_following = false, has_reported_polling = false;
  bool is_filled = false;  // tables are, or are about to be

  void run();
  void acquire_lock();
  void follow();
  void listen();
  void poll_later();
  void add_pending(Changes changes);
  void schedule(Ms soon);
  void ingest_pending();
  Options batch_options() const;
  void finish_batch(const Result<Report>& report, Clock::time_point began);
  void fill_later();
  void fill_tables();
  void end_first();
};

// --- on the background thread
// ---------------------------------------------------------------------

void BackgroundIngest::Parts::run() {
  asio::post(io, [this] { acquire_lock(); });
  const auto keep_running = asio::make_work_guard(io);
  while (!stop.stop_requested()) {
    try {
      io.run();
    } catch (const std::exception& exception) {  // no memory: free some, and start again later
      ingester.reset();
      const std::scoped_lock guard(mutex);
      failure = Error{ErrorCode::unavailable, exception.what()};
      rests_until = Clock::now() + kLastRetry;
      wants_everything = true;
      asio::post(io, [this] { has_lock ? follow() : acquire_lock(); });
    }
  }
  notices.reset();
  watcher.reset();
  ingester.reset();  // before the lock: nothing is under way when another process takes over
  lock.reset();
}

void BackgroundIngest::Parts::acquire_lock() {
  lock.emplace(lock_path);
  if (lock->try_acquire()) return follow();
  if (calls.on_waiting) calls.on_waiting();
  end_first();
  lock->acquire_async([this] { asio::post(io, [this] { follow(); }); });
}

// Watches first and reads then, so that no change is missed between the two.
void BackgroundIngest::Parts::follow() {
  has_lock = true;
  notices.reset();
  watcher.emplace(options.folders, most_watches);
  watcher->begin();
  if (watcher->descriptor() >= 0) {
    notices.emplace(io, ::dup(watcher->descriptor()));
    listen();
  }
  poll_later();
  is_due = false;
  if (Clock::now() < rests_until) return schedule(kSoon);
  ingest_pending();
}

void BackgroundIngest::Parts::listen() {
  notices->async_wait(asio::posix::stream_descriptor::wait_read,
                      [this](const boost::system::error_code& error) {
                        if (error) return;
                        add_pending(watcher->look());
                        listen();
                      });
}

// Runs only as long as there is something to poll.
void BackgroundIngest::Parts::poll_later() {
  const std::size_t folders = watcher->polled();
  if (folders == 0) return;
  if (calls.on_polling && !std::exchange(has_reported_polling, true)) calls.on_polling(folders);
  next_poll.expires_after(kPollEvery);
  next_poll.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    add_pending(watcher->poll());
    poll_later();
  });
}

void BackgroundIngest::Parts::add_pending(Changes changes) {
  wants_everything = wants_everything || changes.everything;
  for (Found& found : changes.files) {
    const auto [entry, is_new] = pending.try_emplace(found.path, found);
    if (!is_new) entry->second.is_reread = entry->second.is_reread || found.is_reread;
  }
  if (wants_everything || !pending.empty()) schedule(kSoon);
  if (watcher->polled() > 0 && next_poll.expiry() < Clock::now()) poll_later();
}

void BackgroundIngest::Parts::schedule(Ms soon) {
  if (std::exchange(is_due, true)) return;
  due.expires_at(std::max(Clock::now() + soon, rests_until));
  due.async_wait([this](const boost::system::error_code& error) {
    is_due = false;
    if (!error) ingest_pending();
  });
}

Options BackgroundIngest::Parts::batch_options() const {
  Options batch = options;
  const auto is_wanted = [&](const Folder& folder) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder.path, ignored)) return false;
    // Of formats whose databases take precedence over files, all folders.
    return wants_everything ||
           (database_wins(folder.adapter) && std::ranges::any_of(pending, [&](const auto& entry) {
              return entry.second.adapter == folder.adapter;
            }));
  };
  std::erase_if(batch.folders, [&](const Folder& folder) { return !is_wanted(folder); });
  if (!wants_everything) {
    batch.paths.clear();
    for (const auto& [path, found] : pending) {
      if (!database_wins(found.adapter)) batch.found.push_back(found);
    }
  }
  return batch;
}

void BackgroundIngest::Parts::ingest_pending() {
  const Clock::time_point began = Clock::now();
  Options batch = batch_options();
  batch.stop = stop.get_token();
  batch.progress = [this](const Progress& now) {
    if (options.progress && !is_following) options.progress(now);
    const std::scoped_lock guard(mutex);
    if (is_first) progress = now;
  };
  if (!ingester) ingester.emplace(store, keyring, options);
  finish_batch(ingester->ingest(batch), began);
}

void BackgroundIngest::Parts::finish_batch(const Result<Report>& report, Clock::time_point began) {
  if (stop.stop_requested()) return;
  {
    const std::scoped_lock guard(mutex);
    failure = report ? std::optional<Error>() : report.error();
  }
  if (!report) {
    if (calls.on_failure) calls.on_failure(report.error());
    end_first();
    rests_until = Clock::now() + retry;
    retry = std::min(retry * 2, kLastRetry);
    return schedule(kSoon);
  }
  retry = kFirstRetry;
  pending.clear();
  const Clock::time_point now = Clock::now();
  const auto rest = std::min<Clock::duration>(now - began, kLongestRest);
  // No rest after a check of everything.
  if (!std::exchange(wants_everything, false)) rests_until = std::max(began + kBetween, now + rest);
  if (calls.on_ingested && !report->conversations.empty()) calls.on_ingested(*report);
  if (!std::exchange(is_following, true) && calls.on_following) calls.on_following(*report);
  end_first();
  if (!std::exchange(is_filled, true)) fill_later();
}

// What an upgrade left behind, after everything that is new: one step at a time, so that changes
// are ingested in between.
void BackgroundIngest::Parts::fill_later() {
  next_fill.expires_after(kFillRest);
  next_fill.async_wait([this](const boost::system::error_code& error) {
    if (!error && !stop.stop_requested()) fill_tables();
  });
}

void BackgroundIngest::Parts::fill_tables() {
  const Result<bool> more = store.filling().fill(keyring, store::kFillStep);
  if (more && *more) return fill_later();
  if (more) return;
  is_filled = false;  // again after the next batch
  if (calls.on_failure) calls.on_failure(more.error());
}

void BackgroundIngest::Parts::end_first() {
  const std::scoped_lock guard(mutex);
  is_first = false;
  progress.reset();
  changed.notify_all();
}

// --- on any thread ------------------------------------------------------------------------------

BackgroundIngest::BackgroundIngest(store::Store& store, const crypto::Keyring& keyring,
                                   Options options, std::filesystem::path lock,
                                   IngestCallbacks calls, std::size_t most_watches)
    : parts_(new Parts{store, keyring, std::move(options), std::move(lock), std::move(calls),
                       most_watches}) {}

BackgroundIngest::~BackgroundIngest() { stop(); }

void BackgroundIngest::begin() {
  Parts& parts = *parts_;
  if (parts.options.folders.empty() && parts.options.paths.empty()) return;
  const std::scoped_lock guard(parts.mutex);
  if (parts.has_begun || parts.stop.stop_requested()) return;
  parts.has_begun = true;
  parts.progress = Progress{};
  parts.thread = std::thread([&parts] { parts.run(); });
}

void BackgroundIngest::refresh() {
  begin();
  Parts& parts = *parts_;
  std::unique_lock guard(parts.mutex);
  if (!parts.has_begun || !parts.is_first) return;
  parts.changed.wait_for(guard, kFirstWait,
                         [&] { return !parts.is_first || parts.stop.stop_requested(); });
}

std::optional<Progress> BackgroundIngest::first_progress() const {
  const std::scoped_lock guard(parts_->mutex);
  return parts_->progress;
}

std::optional<Error> BackgroundIngest::failure() const {
  const std::scoped_lock guard(parts_->mutex);
  return parts_->failure;
}

void BackgroundIngest::stop() {
  parts_->stop.request_stop();
  parts_->io.stop();
  std::thread thread;
  {
    const std::scoped_lock guard(parts_->mutex);
    parts_->changed.notify_all();
    thread = std::move(parts_->thread);
  }
  if (thread.joinable()) thread.join();
}

}  // namespace weft::ingest
