#include "weft/ingest/run/commit_queue.hpp"

#include <algorithm>
#include <utility>

namespace weft::ingest {

CommitQueue::CommitQueue(store::Store& store, const SourceSeal& seal, const store::Indexer& indexer,
                         unsigned at_once)
    : in_flight_(store.known_web(),
                 [this] {
                   send();
                   pipeline_.drain();
                 }),
      pipeline_(store.writer(), seal, indexer, at_once,
                [this](const CommitJob& job, const Result<store::Committed>& committed) {
                  finish(job, committed);
                }) {}

void CommitQueue::end_run() {
  pipeline_.reset();
  job_ = CommitJob{.number = job_.number + 1, .batch = {}, .raw = {}, .files = {}};
  job_bytes_ = 0;
  in_flight_.clear();
  const std::lock_guard lock(mutex_);
  new_thoughts_.clear();
  conflicts_.clear();
}

UnitRange CommitQueue::add_units(std::vector<weave::CommitUnit> units, std::size_t bytes,
                                 std::size_t file) {
  const std::size_t first = job_.batch.units.size();
  for (weave::CommitUnit& unit : units) {
    in_flight_.add(job_.number, unit);
    job_.batch.units.push_back(std::move(unit));
  }
  job_bytes_ += bytes;
  add_file(file);
  return {first, job_.batch.units.size()};
}

std::size_t CommitQueue::add_source(store::SourceUpdate update, std::size_t file) {
  job_.batch.sources.push_back(std::move(update));
  add_file(file);
  return job_.batch.sources.size() - 1;
}

void CommitQueue::add_file(std::size_t file) {
  if (job_.files.empty() || job_.files.back() != file) job_.files.push_back(file);
}

void CommitQueue::send_if_full() {
  if (job_bytes_ >= commit_bytes_) send();
}

void CommitQueue::send() {
  if (job_.batch.units.empty() && job_.batch.sources.empty()) return;
  const std::uint64_t next = job_.number + 1;
  pipeline_.push(std::exchange(job_, {}));
  job_.number = next;
  job_bytes_ = 0;
}

std::vector<std::size_t> CommitQueue::take_conflicts() {
  std::vector<std::size_t> files;
  {
    const std::lock_guard lock(mutex_);
    files = std::exchange(conflicts_, {});
  }
  std::ranges::sort(files);
  const auto rest = std::ranges::unique(files);
  files.erase(rest.begin(), rest.end());
  return files;
}

std::map<Cid, std::uint64_t> CommitQueue::new_thoughts() const {
  const std::lock_guard lock(mutex_);
  return new_thoughts_;
}

// On the committing thread.
void CommitQueue::finish(const CommitJob& job, const Result<store::Committed>& committed) {
  const std::lock_guard lock(mutex_);
  if (committed) {
    for (std::size_t i = 0; i < job.batch.units.size(); ++i) {
      new_thoughts_[job.batch.units[i].conversation] += committed->new_by_unit[i];
    }
  } else if (committed.error().code == ErrorCode::conflict) {
    conflicts_.insert(conflicts_.end(), job.files.begin(), job.files.end());
  }
  in_flight_.remove(job.number);
}

}  // namespace weft::ingest
