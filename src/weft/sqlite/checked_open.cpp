#include "weft/sqlite/checked_open.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace weft::sqlite {
namespace {

thread_local CheckedOpen* checked_open = nullptr;

}  // namespace

int open_checked(const char* path, int flags, int mode) {
  const int fd = ::open(path, flags, mode);
  if (fd < 0 || checked_open == nullptr || checked_open->path_ != path) return fd;
  struct stat about{};
  if (::fstat(fd, &about) == 0 && about.st_dev == checked_open->device_ &&
      about.st_ino == checked_open->inode_) {
    checked_open->has_matched_ = true;
    return fd;
  }
  ::close(fd);
  errno = ENOENT;
  return -1;
}

void wrap_open() {
  sqlite3_vfs* unix_vfs = sqlite3_vfs_find("unix");
  if (unix_vfs == nullptr || unix_vfs->iVersion < 3) return;
  unix_vfs->xSetSystemCall(unix_vfs, "open", reinterpret_cast<sqlite3_syscall_ptr>(open_checked));
}

CheckedOpen::CheckedOpen(std::string path, std::uint64_t device, std::uint64_t inode)
    : path_(std::move(path)), device_(device), inode_(inode) {
  checked_open = this;
}

CheckedOpen::~CheckedOpen() { checked_open = nullptr; }

}  // namespace weft::sqlite
