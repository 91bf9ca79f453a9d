// The second half of ingest: signs, packs and seals batches on one thread and commits them on
// another, while the caller weaves the next. A few are under way at most, so memory is bounded;
// and no more of the three work at once than is said, the others wait.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>
#include <vector>

#include "weft/ingest/source/archive_dictionary.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// A batch and the files (by number) that it came from.
struct CommitJob {
  std::uint64_t number = 0;
  store::Batch batch;
  std::vector<RawSegment> raw;  // sealed into the batch before it is committed
  std::vector<std::size_t> files;
};

class Pipeline {
 public:
  // Called on the committing thread, in order, for each load that is through: with what
  // the commit did, or why it failed. All outlive the pipeline.
  using Done = std::function<void(const CommitJob&, const Result<store::Committed>&)>;
  // Whoever makes it is at work from then on, but for the waiting in push() and drain().
  Pipeline(store::Store& store, const SourceSeal& seal, const store::Indexer& indexer,
           unsigned at_once, Done done);
  ~Pipeline();  // finishes what is under way

  // Waits while too much is under way. After a failure that another try cannot mend,
  // loads are dropped; failure() tells.
  void push(CommitJob job);
  void drain();
  std::optional<Error> failure() const;

 private:
  void sign_all();
  void commit_all();
  // The caller is not at work while it waits. Takes `lock` to hold it again.
  template <class Condition>
  void wait_idle(std::unique_lock<std::mutex>& lock, Condition condition);

  store::Store& store_;
  const SourceSeal& seal_;
  const store::Indexer indexer_;
  std::counting_semaphore<> room_;  // for those at work
  Done done_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<CommitJob> to_sign_, to_commit_;  // guarded by mutex_
  std::size_t under_way_ = 0;                  // guarded by mutex_
  bool closing_ = false;                       // guarded by mutex_
  std::optional<Error> failure_;               // guarded by mutex_
  std::jthread signer_, committer_;
};

}  // namespace weft::ingest
