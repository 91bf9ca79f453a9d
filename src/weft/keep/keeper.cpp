#include "weft/keep/keeper.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <thread>

#include "weft/base/hex.hpp"
#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/keep/report.hpp"
#include "weft/query/verify/structure_checker.hpp"
#include "weft/store/open.hpp"

namespace weft::keep {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kRenewal{2'500};      // of the time that the keeper has
constexpr milliseconds kBetween{1'000};      // looks, where nothing is notified
constexpr milliseconds kRecheck{5'000};      // of what was found, in case it was put right
constexpr std::size_t kRangesAtOnce = 32;    // checked before other work is looked at
constexpr std::uint64_t kManyRows = 50'000;  // after which the server plans anew
constexpr int kBackgroundPriority = 10;      // as of nice(1)

Millis now() {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::uint64_t rows_in(const std::vector<store::ScanRange>& ranges) {
  std::uint64_t rows = 0;
  for (const store::ScanRange& range : ranges) {
    rows += static_cast<std::uint64_t>(range.token[1] - range.token[0] + 1);
  }
  return rows;
}

}  // namespace

// Two threads: one does the work, the other prolongs the time that this keeper has while a piece of
// work takes long, each on connections of its own.
class Keeper::Work {
 public:
  explicit Work(KeeperOptions options)
      : options_(std::move(options)),
        holder_(to_hex(crypto::Key::random().bytes())),
        report_(options_.label),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        holding_([this](const std::stop_token& stop) { hold(stop); }),
        working_([this](const std::stop_token& stop) { work(stop); }) {}

  ~Work() {
    holding_.request_stop();
    working_.request_stop();
    const std::uint64_t one = 1;
    std::ignore = ::write(wake_.get(), &one, sizeof one);
    working_.join();
    holding_.join();  // it lets go
  }

 private:
  // --- the time that this keeper has ----------------------------------------------------------
  void hold(const std::stop_token& stop) {
    std::unique_ptr<store::Upkeep> upkeep;
    for (bool is_denied = false; !stop.stop_requested() && !is_denied; pause(stop, kRenewal)) {
      if (upkeep == nullptr) {
        auto opened = store::open_upkeep(options_.server);
        if (!opened) {
          lose(opened.error());
          continue;
        }
        upkeep = *std::move(opened);
      }
      if (!is_keeper_) resume(*upkeep);
      const Result<bool> held = upkeep->hold(holder_, kHeld, report_.text());
      if (!held) {
        lose(held.error());
        is_denied = held.error().code == ErrorCode::denied;
        upkeep.reset();
      } else if (*held && !is_keeper_) {
        report_.begin(now());
        is_keeper_ = true;
        note("keeping the web at " + options_.server.str());
        notify();
      } else if (!*held) {
        is_keeper_ = false;
      }
    }
    if (upkeep != nullptr && is_keeper_.exchange(false)) {
      std::ignore = upkeep->hold(holder_, kHeld, report_.text());
      std::ignore = upkeep->let_go(holder_);
    }
  }

  // A new keeper continues where the one before it stopped.
  void resume(const store::Upkeep& upkeep) {
    const auto note = upkeep.note();
    if (note && *note && (*note)->holder != holder_) report_.resume((*note)->report);
  }

  void lose(const Error& error) {
    is_keeper_ = false;
    if (error.code == ErrorCode::denied) {
      note("this role may not keep the web (" + error.message + "): questions are answered, and " +
           "another weft serve has to keep it");
    } else {
      note_error(error);
    }
  }

  // --- the work -------------------------------------------------------------------------------
  void work(const std::stop_token& stop) {
    ::setpriority(PRIO_PROCESS, 0, kBackgroundPriority);  // of this thread alone
    while (!stop.stop_requested()) {
      if (!is_keeper_) {
        web_.reset();
        wait(kBetween);
        continue;
      }
      const Result<bool> more = round(stop);
      if (!more) {
        note_error(more.error());
        web_.reset();
        wait(kBetween);
      } else {
        clear_error();
        if (!*more) wait(kBetween);
      }
    }
  }

  // What one needs to work, opened when this process becomes the keeper.
  struct Web {
    std::unique_ptr<store::Store> store;
    std::unique_ptr<store::Upkeep> upkeep;
    std::unique_ptr<store::Changes> changes;
    std::int64_t tombstones = 0;         // looked at, up to this id
    std::vector<Cid> waiting{};          // of these
    std::optional<Cid> checkpoint{};     // the newest that was looked at
    std::unordered_set<Cid> creators{};  // of conversations
    store::AddedMark swept{};            // of the round over everything
    std::uint64_t rows = 0;              // added since the server planned anew
    Clock::time_point rechecked{}, swept_at{};
    bool merged = false;
  };

  Status open() {
    if (web_) return {};
    auto web = std::make_unique<Web>();
    WEFT_TRY_VALUE(const auto url, store::StoreUrl::parse(options_.server.str()));
    WEFT_TRY_VALUE(web->store, store::open_store(url, store::Create::no));
    WEFT_TRY_VALUE(web->upkeep, store::open_upkeep(options_.server));
    web->changes = web->store->changes();
    web->creators = query::conversation_creators(*web->store);
    web_ = std::move(web);
    return {};
  }

  // One look at everything. Whether there is more to do at once.
  Result<bool> round(const std::stop_token& stop) {
    WEFT_TRY(open());
    web_->changes->clear();
    WEFT_TRY(wipe());
    WEFT_TRY(carry_out_all(stop));
    WEFT_TRY(merge(stop));
    WEFT_TRY_VALUE(const bool more, check_added(stop));
    WEFT_TRY(analyze(more));
    if (!more) WEFT_TRY(check_again(stop));
    return more;
  }

  Status wipe() {
    WEFT_TRY_VALUE(const bool is_due, web_->upkeep->is_wipe_due());
    if (is_due) {
      report_.set_wiped(false);
      WEFT_TRY_VALUE(const bool is_wiped, web_->store->forgetting().scrub());
      report_.set_wiped(is_wiped);
    } else {
      report_.set_wiped(true);
    }
    return {};
  }

  // New tombstones, those that wait, and those of conversations that were pushed again.
  Status carry_out_all(const std::stop_token& stop) {
    WEFT_TRY_VALUE(const auto added, web_->upkeep->tombstones_since(web_->tombstones));
    std::vector<Cid> due = web_->waiting;
    due.insert(due.end(), added.cids.begin(), added.cids.end());
    if (due.empty()) return {};
    std::vector<CarriedOut> waiting;
    bool has_removed = false;
    for (const Cid& tombstone : due) {
      if (stop.stop_requested() || !is_keeper_) return {};
      WEFT_TRY_VALUE(CarriedOut done, carry_out(*web_->store, tombstone));
      if (done.state == CarriedOut::State::waiting) waiting.push_back(std::move(done));
      else if (done.state == CarriedOut::State::done) {
        report_.add(done, now());
        const std::size_t gone = done.conversations.size();
        note("forgot " + std::to_string(gone) + (gone == 1 ? " conversation" : " conversations") +
             ": tombstone " + tombstone.str());
        has_removed = true;
      }
    }
    web_->tombstones = added.newest;
    web_->waiting.clear();
    for (const CarriedOut& one : waiting) web_->waiting.push_back(one.tombstone);
    report_.set_waiting(std::move(waiting));
    tell();
    return has_removed ? wipe() : Status();
  }

  Status merge(const std::stop_token& stop) {
    for (bool more = true; more && !stop.stop_requested() && is_keeper_;) {
      WEFT_TRY_VALUE(more, web_->upkeep->merge());
      if (!more) break;
      web_->merged = true;
      report_.set_merged(now());
    }
    return {};
  }

  Result<bool> check_added(const std::stop_token& stop) {
    WEFT_TRY_VALUE(const auto added, web_->upkeep->added_since(report_.mark(), kRangesAtOnce));
    if (!added.ranges.empty()) web_->creators = query::conversation_creators(*web_->store);
    for (const store::ScanRange& range : added.ranges) {
      if (stop.stop_requested() || !is_keeper_) return false;
      WEFT_TRY(check(range, stop));
    }
    web_->rows += rows_in(added.ranges);
    report_.set_mark(added.mark, added.behind);
    if (!added.ranges.empty() && added.behind == 0) tell();
    return added.behind > 0;
  }

  Status analyze(bool is_busy) {
    const bool is_due = web_->rows >= kManyRows || (web_->merged && web_->rows > 0);
    if (!is_due || is_busy) return {};
    WEFT_TRY(web_->upkeep->analyze());
    report_.set_analyzed(now());
    web_->rows = 0;
    web_->merged = false;
    return {};
  }

  // What was found, every few seconds; and one range of the round over everything, once a second.
  Status check_again(const std::stop_token& stop) {
    const Clock::time_point begun = Clock::now();
    if (begun - web_->rechecked >= kRecheck) {
      web_->rechecked = begun;
      for (const store::ScanRange& range : report_.ranges_with_findings()) {
        if (stop.stop_requested() || !is_keeper_) return {};
        WEFT_TRY(check(range, stop));
      }
    }
    if (begun - web_->swept_at < kBetween) return {};
    web_->swept_at = begun;
    store::AddedMark from = web_->swept;
    from.log = report_.mark().log;  // late commits are looked at above
    WEFT_TRY_VALUE(const auto next, web_->upkeep->added_since(from, 1));
    for (const store::ScanRange& range : next.ranges) WEFT_TRY(check(range, stop));
    web_->swept = next.mark;
    if (next.behind == 0) {
      report_.end_round();
      web_->swept = {};
    }
    return {};
  }

  Status check(const store::ScanRange& range, const std::stop_token& stop) {
    WEFT_TRY_VALUE(const auto found,
                   query::check_ranges(*web_->store, web_->creators, {&range, 1}, {.stop = stop}));
    const std::size_t before = report_.count_findings();
    for (const query::RangeFinding& one : report_.set_findings(range, found)) {
      note(std::string(to_string(one.kind)) + " thought in the web: " + one.cid.str() +
           " (weft verify says more)");
    }
    report_.add_checked(rows_in({range}));
    if (report_.count_findings() != before) tell();
    return {};
  }

  // --- waiting and speaking -------------------------------------------------------------------
  void wait(milliseconds most) {
    std::array<pollfd, 2> ready = {
        {{.fd = wake_.get(), .events = POLLIN, .revents = 0},
         {.fd = web_ ? web_->changes->descriptor() : -1, .events = POLLIN, .revents = 0}}};
    ::poll(ready.data(), ready.size(), static_cast<int>(most.count()));
    std::uint64_t times = 0;
    std::ignore = ::read(wake_.get(), &times, sizeof times);
    // Several commits in a row are looked at together.
    if (ready[1].revents != 0) ::poll(nullptr, 0, store::kChangeDelayMs);
  }

  void notify() const {
    const std::uint64_t one = 1;
    std::ignore = ::write(wake_.get(), &one, sizeof one);
  }

  void pause(const std::stop_token& stop, milliseconds time) {
    std::unique_lock lock(mutex_);
    std::ignore = changed_.wait_for(lock, stop, time, [this] { return has_news_; });
    has_news_ = false;
  }

  // What others wait for stands on the server at once, and not with the next prolongation.
  void tell() {
    const std::lock_guard lock(mutex_);
    has_news_ = true;
    changed_.notify_all();
  }

  void note(const std::string& line) const {
    if (options_.on_note) options_.on_note(line);
  }

  // Said once, until something succeeds.
  void note_error(const Error& error) {
    {
      const std::lock_guard lock(mutex_);
      if (last_error_ == error.message) return;
      last_error_ = error.message;
    }
    report_.set_error(error.message);
    note("cannot keep the web for now: " + error.message);
  }
  void clear_error() {
    const std::lock_guard lock(mutex_);
    if (last_error_.empty()) return;
    last_error_.clear();
    report_.set_error("");
  }

  const KeeperOptions options_;
  const std::string holder_;
  Report report_;
  const Fd wake_;
  std::atomic<bool> is_keeper_ = false;
  std::unique_ptr<Web> web_{};  // of the thread that works
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string last_error_;  // guarded by mutex_
  bool has_news_ = false;   // guarded by mutex_: the report has what the server has not
  std::jthread holding_, working_;
};

Keeper::Keeper(KeeperOptions options) : work_(std::make_unique<Work>(std::move(options))) {}
Keeper::~Keeper() = default;

Result<json::object> read_report(const postgres::Url& server) {
  WEFT_TRY_VALUE(const auto upkeep, store::open_upkeep(server));
  WEFT_TRY_VALUE(const auto note, upkeep->note());
  return to_answer(note);
}

}  // namespace weft::keep
