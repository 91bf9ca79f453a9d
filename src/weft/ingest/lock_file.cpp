#include "weft/ingest/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <thread>
#include <utility>

namespace weft::ingest {

struct LockFile::Shared {
  explicit Shared(const std::filesystem::path& path)
      : descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
  ~Shared() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  const int descriptor;
  std::mutex mutex;
  bool is_abandoned = false;  // guarded by mutex
};

LockFile::LockFile(const std::filesystem::path& path) : shared_(std::make_shared<Shared>(path)) {}

LockFile::~LockFile() {
  const std::scoped_lock held(shared_->mutex);
  shared_->is_abandoned = true;
  ::flock(shared_->descriptor, LOCK_UN);
}

bool LockFile::try_hold() {
  return shared_->descriptor >= 0 && ::flock(shared_->descriptor, LOCK_EX | LOCK_NB) == 0;
}

// Nothing but a signal ends the wait for a lock, so the thread is let go of, and keeps what it
// needs. It may get the lock when nobody wants it any more: then it gives it back.
void LockFile::hold_later(std::function<void()> held) {
  if (shared_->descriptor < 0) return;
  std::thread([shared = shared_, call = std::move(held)] {
    while (::flock(shared->descriptor, LOCK_EX) != 0) {
      if (errno != EINTR) return;
    }
    const std::scoped_lock lock(shared->mutex);
    if (shared->is_abandoned) {
      ::flock(shared->descriptor, LOCK_UN);
    } else {
      call();
    }
  }).detach();
}

}  // namespace weft::ingest
