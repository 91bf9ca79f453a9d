#include "weft/ingest/follow/async_file_lock.hpp"

#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "weft/base/file_lock.hpp"

namespace weft::ingest {

struct AsyncFileLock::Shared {
  explicit Shared(std::filesystem::path where) : path(std::move(where)) {}

  const std::filesystem::path path;
  std::mutex mutex;
  std::optional<FileLock> lock;  // guarded by mutex
  bool is_abandoned = false;     // guarded by mutex
};

AsyncFileLock::AsyncFileLock(const std::filesystem::path& path)
    : shared_(std::make_shared<Shared>(path)) {}

AsyncFileLock::~AsyncFileLock() {
  const std::scoped_lock guard(shared_->mutex);
  shared_->is_abandoned = true;
  shared_->lock.reset();
}

bool AsyncFileLock::try_acquire() {
  Result<FileLock> lock = FileLock::try_acquire(shared_->path);
  const std::scoped_lock guard(shared_->mutex);
  if (lock) shared_->lock = *std::move(lock);
  return lock.has_value();
}

// Only a signal ends the wait for a lock, so the thread is detached and shares what it needs. If it
// gets the lock after this was destroyed, it releases it.
void AsyncFileLock::acquire_async(std::function<void()> on_acquired) {
  std::thread([shared = shared_, call = std::move(on_acquired)] {
    Result<FileLock> lock = FileLock::acquire(shared->path);
    const std::scoped_lock guard(shared->mutex);
    if (!lock || shared->is_abandoned) return;
    shared->lock = *std::move(lock);
    call();
  }).detach();
}

}  // namespace weft::ingest
