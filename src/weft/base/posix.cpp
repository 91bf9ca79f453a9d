#include "weft/base/posix.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace weft {

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

bool Fd::close() { return ::close(std::exchange(fd_, -1)) == 0; }

ErrorCode code_of_errno(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR: return ErrorCode::not_found;
    case EACCES:
    case EPERM:
    case EROFS: return ErrorCode::denied;
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL: return ErrorCode::invalid_input;
    default: return ErrorCode::unavailable;
  }
}

Error errno_error(int number, std::string_view doing, const std::filesystem::path& path) {
  std::string message(doing);
  message.append(" ").append(path.string()).append(": ");
  return {code_of_errno(number), message + std::generic_category().message(number)};
}

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

Status check_private(int fd, const std::filesystem::path& path) {
  struct stat info{};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return fail(ErrorCode::invalid_input, "not a file");
  }
  if (info.st_uid != ::geteuid() && info.st_uid != 0) {
    return fail(ErrorCode::denied, "it belongs to another user; make a copy of your own");
  }
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(ErrorCode::denied,
                "other users can read or write it; run: chmod 600 '" + path.string() + "'");
  }
  return {};
}

FileAside::FileAside(const std::filesystem::path& path)
    : path_(path), name_(path.string() + ".XXXXXX"), file_(::mkostemp(name_.data(), O_CLOEXEC)) {
  if (!file_) name_.clear();
}

FileAside::~FileAside() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

bool FileAside::replace() {
  if (::rename(name_.c_str(), path_.c_str()) != 0) return false;
  name_.clear();
  return true;
}

// A link, unlike a rename, fails if the name is in use.
bool FileAside::publish_new() { return ::link(name_.c_str(), path_.c_str()) == 0; }

bool sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const Fd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return directory && ::fsync(directory.get()) == 0;
}

}  // namespace weft
