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

// How long the first who asks waits for what is new.
constexpr Ms kFirstWait{250};
// What changes is taken in this soon, so that a line that is written in several pieces is one
// change; and not more often than this, so that what several sessions say goes into one commit.
constexpr Ms kSoon{10}, kBetween{100};
// Of the time that taking in takes, others have at least as much; up to this.
constexpr Ms kLongestRest{2'000};
constexpr Ms kPollEvery{1'000};
constexpr Ms kFirstRetry{500}, kLastRetry{60'000};

// Whether files of this format are left alone for what a database says: then one cannot be judged
// without the other.
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

  // All below: the keeper's thread alone.
  std::optional<AsyncFileLock> lock{};
  std::optional<Watcher> watcher{};
  std::optional<asio::posix::stream_descriptor> notices{};
  asio::steady_timer due{io}, next_poll{io};
  bool is_due = false;           // `due` runs
  bool wants_everything = true;  // else what is in `pending`
  std::map<std::filesystem::path, Found> pending{};
  Clock::time_point rests_until{};
  Ms retry = kFirstRetry;
  bool is_holding = false, is_following = false, has_told_polling = false;

  void run();
  void hold();
  void follow();
  void listen();
  void poll_later();
  void hear(Changes changes);
  void schedule(Ms soon);
  void take_in();
  Options what_to_ingest() const;
  void settle(const Result<Report>& report, Clock::time_point began);
  void end_first();
};

// --- on the keeper's thread ---------------------------------------------------------------------

void BackgroundIngest::Parts::run() {
  asio::post(io, [this] { hold(); });
  const auto keep_running = asio::make_work_guard(io);
  while (!stop.stop_requested()) {
    try {
      io.run();
    } catch (const std::exception& exception) {  // there is no memory: from the start, in a while
      const std::scoped_lock held(mutex);
      failure = Error{ErrorCode::unavailable, exception.what()};
      rests_until = Clock::now() + kLastRetry;
      wants_everything = true;
      asio::post(io, [this] { is_holding ? follow() : hold(); });
    }
  }
  notices.reset();
  watcher.reset();
  lock.reset();
}

void BackgroundIngest::Parts::hold() {
  lock.emplace(lock_path);
  if (lock->try_hold()) return follow();
  if (calls.on_waiting) calls.on_waiting();
  end_first();
  lock->hold_later([this] { asio::post(io, [this] { follow(); }); });
}

// Watched first and read then, so that nothing falls between.
void BackgroundIngest::Parts::follow() {
  is_holding = true;
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
  take_in();
}

void BackgroundIngest::Parts::listen() {
  notices->async_wait(asio::posix::stream_descriptor::wait_read,
                      [this](const boost::system::error_code& error) {
                        if (error) return;
                        hear(watcher->look());
                        listen();
                      });
}

// Runs only as long as there is something to poll.
void BackgroundIngest::Parts::poll_later() {
  const std::size_t folders = watcher->polled();
  if (folders == 0) return;
  if (calls.on_polling && !std::exchange(has_told_polling, true)) calls.on_polling(folders);
  next_poll.expires_after(kPollEvery);
  next_poll.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    hear(watcher->poll());
    poll_later();
  });
}

void BackgroundIngest::Parts::hear(Changes changes) {
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
    if (!error) take_in();
  });
}

Options BackgroundIngest::Parts::what_to_ingest() const {
  Options what = options;
  const auto is_wanted = [&](const Folder& folder) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder.path, ignored)) return false;
    // Of formats of which a database may tell the same, all of their folders.
    return wants_everything ||
           (database_wins(folder.adapter) && std::ranges::any_of(pending, [&](const auto& entry) {
              return entry.second.adapter == folder.adapter;
            }));
  };
  std::erase_if(what.folders, [&](const Folder& folder) { return !is_wanted(folder); });
  if (!wants_everything) {
    what.paths.clear();
    for (const auto& [path, found] : pending) {
      if (!database_wins(found.adapter)) what.found.push_back(found);
    }
  }
  return what;
}

void BackgroundIngest::Parts::take_in() {
  const Clock::time_point began = Clock::now();
  Options what = what_to_ingest();
  what.stop = stop.get_token();
  what.progress = [this](const Progress& now) {
    if (options.progress && !is_following) options.progress(now);
    const std::scoped_lock held(mutex);
    if (is_first) progress = now;
  };
  settle(ingest(store, keyring, what), began);
}

void BackgroundIngest::Parts::settle(const Result<Report>& report, Clock::time_point began) {
  if (stop.stop_requested()) return;
  {
    const std::scoped_lock held(mutex);
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
  // After all of it was looked at, nobody need wait.
  if (!std::exchange(wants_everything, false)) rests_until = std::max(began + kBetween, now + rest);
  if (calls.on_ingested && !report->conversations.empty()) calls.on_ingested(*report);
  if (!std::exchange(is_following, true) && calls.on_following) calls.on_following(*report);
  end_first();
}

void BackgroundIngest::Parts::end_first() {
  const std::scoped_lock held(mutex);
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
  const std::scoped_lock held(parts.mutex);
  if (parts.has_begun || parts.stop.stop_requested()) return;
  parts.has_begun = true;
  parts.progress = Progress{};
  parts.thread = std::thread([&parts] { parts.run(); });
}

void BackgroundIngest::refresh() {
  begin();
  Parts& parts = *parts_;
  std::unique_lock held(parts.mutex);
  if (!parts.has_begun || !parts.is_first) return;
  parts.changed.wait_for(held, kFirstWait,
                         [&] { return !parts.is_first || parts.stop.stop_requested(); });
}

std::optional<Progress> BackgroundIngest::first_progress() const {
  const std::scoped_lock held(parts_->mutex);
  return parts_->progress;
}

std::optional<Error> BackgroundIngest::failure() const {
  const std::scoped_lock held(parts_->mutex);
  return parts_->failure;
}

void BackgroundIngest::stop() {
  parts_->stop.request_stop();
  parts_->io.stop();
  std::thread thread;
  {
    const std::scoped_lock held(parts_->mutex);
    parts_->changed.notify_all();
    thread = std::move(parts_->thread);
  }
  if (thread.joinable()) thread.join();
}

}  // namespace weft::ingest
