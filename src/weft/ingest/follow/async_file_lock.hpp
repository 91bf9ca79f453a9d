// A FileLock (base/file_lock.hpp) that can be awaited without blocking: a thread of its own waits,
// and calls back once the lock is held. FileLock is for callers that can block.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

namespace weft::ingest {

class AsyncFileLock {
 public:
  // The file is created if it does not exist.
  explicit AsyncFileLock(const std::filesystem::path& path);
  ~AsyncFileLock();  // releases the lock; a pending callback is not called any more
  AsyncFileLock(const AsyncFileLock&) = delete;
  AsyncFileLock& operator=(const AsyncFileLock&) = delete;

  // Acquires the lock if it is free. False if another process has it, or the file cannot be opened.
  bool try_acquire();
  // Waits for the lock on another thread, which calls `on_acquired` once. Call it once at most.
  void acquire_async(std::function<void()> on_acquired);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the waiting thread, which may outlive this
};

}  // namespace weft::ingest
