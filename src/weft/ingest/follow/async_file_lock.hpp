// The lock of the process that takes in (base/file_lock.hpp), for those who go on with other things
// while they wait for it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

namespace weft::ingest {

class LockFile {
 public:
  // Made if it is not there.
  explicit LockFile(const std::filesystem::path& path);
  ~LockFile();  // lets go; whoever waits is not called any more
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  // True if it is held from now on. False if another one holds it, and if there is no such file.
  bool try_hold();
  // Waits for it on a thread that sleeps until then, which calls `held` once. At most one waits.
  void hold_later(std::function<void()> held);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the thread that waits, which nothing wakes
};

}  // namespace weft::ingest
