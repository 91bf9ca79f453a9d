#include "weft/base/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace weft {

Result<FileLock> FileLock::open_and_lock(const std::filesystem::path& path, int operation) {
  FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const auto failed = [&](ErrorCode code) {
    return fail(code, "locking " + path.string() + ": " + std::generic_category().message(errno));
  };
  if (lock.descriptor_ < 0) {
    return failed(errno == ENOENT || errno == ENOTDIR ? ErrorCode::not_found : ErrorCode::denied);
  }
  while (::flock(lock.descriptor_, operation) != 0) {
    if (errno != EINTR) return failed(ErrorCode::unavailable);
  }
  return lock;
}

Result<FileLock> FileLock::try_acquire(const std::filesystem::path& path) {
  return open_and_lock(path, LOCK_EX | LOCK_NB);
}

Result<FileLock> FileLock::acquire(const std::filesystem::path& path) {
  return open_and_lock(path, LOCK_EX);
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace weft
