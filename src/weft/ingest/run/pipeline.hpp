// Signs, prepares and seals batches on one thread, or on two where there are enough cores, and
// commits them on another, in the order pushed, while the caller weaves the next. What is committed
// does not depend on the number of threads. At most three batches are under way, or four, so memory
// is bounded; at most `at_once` threads work at a time. Idle threads wait on a condition variable.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>
#include <vector>

#include "weft/ingest/source/archive_dictionary.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/store/writer.hpp"

namespace weft::ingest {

// A batch, and the numbers of the files that it came from.
struct CommitJob {
  std::uint64_t number = 0;
  store::Batch batch;
  std::vector<RawSegment> raw;  // sealed into the batch before it is committed
  std::vector<std::size_t> files;
};

class Pipeline {
 public:
  // Called on the committing thread, in order, for each job: with what the commit did, or why it
  // failed.
  using Done = std::function<void(const CommitJob&, const Result<store::Committed>&)>;
  // All outlive it. The caller counts as one of the threads at work, except while it waits in
  // push() and drain(). With `at_once` of four or more, two threads sign.
  Pipeline(store::Writer& writer, const SourceSeal& seal, const store::Indexer& indexer,
           unsigned at_once, Done done);
  ~Pipeline();  // finishes what is under way

  // Waits while too much is under way. After a failure other than conflict, jobs fail with that
  // failure and are not committed, until reset().
  void push(CommitJob job);
  // Waits until nothing is under way.
  void drain();
  // Jobs fail with this from now on, as after a failed commit; the first failure is kept.
  void fail(Error error);
  std::optional<Error> failure() const;
  // drain(), and clears the failure.
  void reset();

 private:
  void sign_all();
  void commit_all();
  // Waits with the caller not counted as at work. `lock` is locked again on return.
  template <class Condition>
  void wait_idle(std::unique_lock<std::mutex>& lock, Condition condition);

  store::Writer& writer_;
  const SourceSeal& seal_;
  const store::Indexer indexer_;
  std::counting_semaphore<> room_;  // one for each thread at work
  Done done_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<CommitJob> to_sign_;              // guarded by mutex_
  std::map<std::uint64_t, CommitJob> signed_;  // by their place in the order; guarded by mutex_
  std::uint64_t next_to_sign_ = 0;             // place of the front of to_sign_; guarded by mutex_
  std::uint64_t next_to_commit_ = 0;           // guarded by mutex_
  std::size_t under_way_ = 0;                  // guarded by mutex_
  bool closing_ = false;                       // guarded by mutex_
  std::optional<Error> failure_;               // guarded by mutex_
  std::vector<std::jthread> signers_;
  std::jthread committer_;
};

}  // namespace weft::ingest
