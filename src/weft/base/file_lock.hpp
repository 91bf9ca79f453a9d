// A file that one process at a time holds. It is given back when that process ends, however it
// ends.
#pragma once

#include <filesystem>
#include <utility>

#include "weft/base/result.hpp"

namespace weft {

class FileLock {
 public:
  // Opens the file, made with mode 0600 if it is not there, and holds it if nobody does.
  // unavailable if another one does; denied or not_found if it cannot be opened.
  static Result<FileLock> try_hold(const std::filesystem::path& path);
  // The same, but waits until it can be held.
  static Result<FileLock> hold(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

  // A process that is forked holds it, too, as long as it leaves this open.
  int descriptor() const { return descriptor_; }

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  static Result<FileLock> take(const std::filesystem::path& path, int operation);

  int descriptor_;
};

}  // namespace weft
