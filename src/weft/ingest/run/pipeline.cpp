#include "weft/ingest/run/pipeline.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "weft/ingest/run/weave_session.hpp"

namespace weft::ingest {
namespace {

// Beside the one being woven: one being written, one waiting, and one for each thread that signs.
constexpr std::size_t kMostBesideSigned = 2;
// Signing is the longest of the three steps. In two it is the shortest.
constexpr unsigned kThreadsForTwoSigners = 4;

// Shown by top, perf and the benchmarks.
void name_thread(const char* name) { pthread_setname_np(pthread_self(), name); }

}  // namespace

Pipeline::Pipeline(store::Writer& writer, const SourceSeal& seal, const store::Indexer& indexer,
                   unsigned at_once, Done done)
    : writer_(writer),
      seal_(seal),
      indexer_(indexer),
      room_(static_cast<std::ptrdiff_t>(std::max(at_once, 1u))),
      done_(std::move(done)),
      committer_([this] { commit_all(); }) {
  const int signers = at_once < kThreadsForTwoSigners ? 1 : 2;
  for (int i = 0; i < signers; ++i) signers_.emplace_back([this] { sign_all(); });
  room_.acquire();
}

Pipeline::~Pipeline() {
  drain();
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  room_.release();
  changed_.notify_all();
}

template <class Condition>
void Pipeline::wait_idle(std::unique_lock<std::mutex>& lock, Condition condition) {
  if (condition()) return;
  room_.release();
  changed_.wait(lock, condition);
  lock.unlock();  // a thread at work may need the lock before it gives its room back
  room_.acquire();
  lock.lock();
}

void Pipeline::push(CommitJob job) {
  std::unique_lock lock(mutex_);
  wait_idle(lock, [this] { return under_way_ < kMostBesideSigned + signers_.size(); });
  ++under_way_;
  to_sign_.push_back(std::move(job));
  lock.unlock();
  changed_.notify_all();
}

void Pipeline::drain() {
  std::unique_lock lock(mutex_);
  wait_idle(lock, [this] { return under_way_ == 0; });
}

void Pipeline::reset() {
  drain();
  const std::lock_guard lock(mutex_);
  failure_.reset();
}

void Pipeline::fail(Error error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
}

std::optional<Error> Pipeline::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Pipeline::sign_all() {
  name_thread("weft sign");
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !to_sign_.empty(); });
    if (to_sign_.empty()) return;
    CommitJob job = std::move(to_sign_.front());
    to_sign_.pop_front();
    const std::uint64_t place = next_to_sign_++;
    lock.unlock();
    room_.acquire();
    const store::Plaintexts plaintexts = sign_and_prepare(writer_, job.batch, indexer_);
    for (const RawSegment& raw : std::exchange(job.raw, {})) {
      store::SourceUpdate& update = job.batch.sources[raw.source];
      update.segments.push_back(seal_.seal_segment(update.source.key, update.source.generation,
                                                   raw.seq, raw.bytes,
                                                   dictionary_for(raw, job.batch, plaintexts)));
    }
    room_.release();
    lock.lock();
    signed_.emplace(place, std::move(job));
    changed_.notify_all();
  }
}

void Pipeline::commit_all() {
  name_thread("weft commit");
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || signed_.contains(next_to_commit_); });
    if (signed_.empty()) return;
    CommitJob job = std::move(signed_.extract(next_to_commit_++).mapped());
    const std::optional<Error> failed_before = failure_;
    lock.unlock();
    room_.acquire();
    // After a full disk the other commits would fail, too.
    Result<store::Committed> committed = failed_before
                                             ? Result<store::Committed>(weft::fail(*failed_before))
                                             : writer_.commit(job.batch);
    done_(job, committed);
    room_.release();
    lock.lock();
    if (!committed && committed.error().code != ErrorCode::conflict && !failure_) {
      failure_ = committed.error();
    }
    --under_way_;
    changed_.notify_all();
  }
}

}  // namespace weft::ingest
