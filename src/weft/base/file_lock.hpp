// FileLock is a lock file that one process at a time holds. The kernel releases the lock when that
// process ends, for whatever reason.
#pragma once

#include <filesystem>
#include <utility>

#include "weft/base/result.hpp"

namespace weft {

class FileLock {
 public:
  // Opens the file, created with mode 0600 if it is missing, and locks it without waiting.
  // unavailable if another process holds it; denied or not_found if it cannot be opened.
  static Result<FileLock> try_hold(const std::filesystem::path& path);
  // The same, but waits for the lock.
  static Result<FileLock> hold(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

  // A forked process holds the lock too, as long as it keeps this descriptor open.
  int descriptor() const { return descriptor_; }

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  static Result<FileLock> take(const std::filesystem::path& path, int operation);

  int descriptor_;
};

}  // namespace weft
