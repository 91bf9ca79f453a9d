// Collects what sources weave into commit jobs and sends them through the pipeline. Small files
// share a job, a large one fills several. Lives as long as its Ingester; begin_run() and end_run()
// separate one run from the next, so that the failure of one does not reach the next.
//
// All functions are for the thread that weaves.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "weft/ingest/run/in_flight.hpp"
#include "weft/ingest/run/pipeline.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

class CommitQueue {
 public:
  // All outlive it.
  CommitQueue(store::Store& store, const SourceSeal& seal, const store::Indexer& indexer,
              unsigned at_once);

  // The web with everything in it that is added here.
  const weave::KnownWeb& known_web() const { return in_flight_; }

  // A job is full with `commit_bytes`.
  void begin_run(std::size_t commit_bytes) { commit_bytes_ = commit_bytes; }
  // Waits for the jobs that were sent, and drops what was not sent, failures and counts.
  void end_run();

  // Whether `bytes` more fill the job.
  bool is_filled_by(std::size_t bytes) const { return job_bytes_ + bytes >= commit_bytes_; }
  // Adds units of the file with that number in the run, and their size.
  UnitRange add_units(std::vector<weave::CommitUnit> units, std::size_t bytes, std::size_t file);
  // Adds the new row of a source of that file, and returns its index in Batch::sources.
  std::size_t add_source(store::SourceUpdate update, std::size_t file);
  void add_segment(RawSegment segment) { job_.raw.push_back(std::move(segment)); }
  void send_if_full();
  void send();
  // Ends the run with this failure of the store, as a commit that failed would: nothing more is
  // committed.
  void fail(Error error) { pipeline_.fail(std::move(error)); }
  // Waits until everything that was sent is committed or has failed.
  void drain() { pipeline_.drain(); }

  // Of this run: why the store failed; the files whose commits conflicted with another writer's,
  // sorted, each once (after drain(); they are forgotten with the call); the number of new thoughts
  // by conversation.
  std::optional<Error> failure() const { return pipeline_.failure(); }
  std::vector<std::size_t> take_conflicts();
  std::map<Cid, std::uint64_t> new_thoughts() const;

 private:
  void add_file(std::size_t file);
  void finish(const CommitJob& job, const Result<store::Committed>& committed);

  std::size_t commit_bytes_ = 0;
  CommitJob job_;  // not sent yet
  std::size_t job_bytes_ = 0;

  mutable std::mutex mutex_;
  std::map<Cid, std::uint64_t> new_thoughts_;  // guarded by mutex_
  std::vector<std::size_t> conflicts_;         // guarded by mutex_

  InFlight in_flight_;
  Pipeline pipeline_;  // last: its threads call finish() until it is destroyed
};

}  // namespace weft::ingest
