// The lock of the process that takes in (base/file_lock.hpp), for those who go on with other things
// while they wait for it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

namespace weft::ingest {

class AsyncFileLock {
 public:
  // Made if it is not there.
  explicit AsyncFileLock(const std::filesystem::path& path);
  ~AsyncFileLock();  // lets go; whoever waits is not called any more
  AsyncFileLock(const AsyncFileLock&) = delete;
  AsyncFileLock& operator=(const AsyncFileLock&) = delete;

  // True if it is held from now on. False if another one holds it, and if there is no such file.
  bool try_hold();
  // Waits for it on a thread that sleeps until then, which calls `held` once. At most one waits.
  void hold_later(std::function<void()> held);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the thread that waits, which nothing wakes
};

}  // namespace weft::ingest
