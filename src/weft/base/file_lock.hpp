// An exclusive lock on a file (flock), held by one process at a time. The system releases it when
// that process ends, however it ends. ingest/follow/async_file_lock.hpp waits for one without
// blocking.
#pragma once

#include <filesystem>
#include <utility>

#include "weft/base/result.hpp"

namespace weft {

class FileLock {
 public:
  // Acquires the lock if it is free. The file is created with mode 0600 if it does not exist.
  // unavailable if another process has the lock; denied or not_found if the file cannot be opened.
  static Result<FileLock> try_acquire(const std::filesystem::path& path);
  // The same, but waits until the lock is free.
  static Result<FileLock> acquire(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

  // A forked process shares the lock as long as it keeps this descriptor open.
  int descriptor() const { return descriptor_; }

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  static Result<FileLock> open_and_lock(const std::filesystem::path& path, int operation);

  int descriptor_;
};

}  // namespace weft
