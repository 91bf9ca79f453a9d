#include "weft/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace weft {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  // Closing may be where a write fails; -1 and errno then.
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

// A file written aside, gone again unless it was renamed to its place.
class Aside {
 public:
  explicit Aside(std::string name) : name_(std::move(name)) {}
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  bool rename_to(const std::filesystem::path& path) {
    if (::rename(name_.c_str(), path.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  std::string name_;
};

// errno, in our words. A full disk is `unavailable`: room can be made.
Error error_of(int number, std::string_view doing, const std::filesystem::path& path) {
  ErrorCode code = ErrorCode::unavailable;
  switch (number) {
    case ENOENT:
    case ENOTDIR: code = ErrorCode::not_found; break;
    case EACCES:
    case EPERM:
    case EROFS: code = ErrorCode::denied; break;
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL: code = ErrorCode::invalid_input; break;
    default: break;
  }
  return {code,
          fmt::format("{} {}: {}", doing, path.string(), std::generic_category().message(number))};
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  constexpr std::string_view kDoing = "reading";
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(error_of(errno, kDoing, path));
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) return fail(error_of(errno, kDoing, path));
  if (S_ISDIR(info.st_mode)) return fail(error_of(EISDIR, kDoing, path));
  // The size is only a first guess: a pipe has none, and a file may be growing. One
  // byte more than that, so that an honest size needs no second round to see the end.
  constexpr std::size_t kMinRoom = 4096;
  std::string bytes;
  std::size_t used = 0;
  std::size_t room = std::max(kMinRoom, static_cast<std::size_t>(info.st_size) + 1);
  while (true) {
    if (used > limit) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("reading {}: larger than {} bytes", path.string(), limit));
    }
    // Never more than one byte beyond the limit, whatever the file says of itself.
    bytes.resize(used + std::min(room - 1, limit - used) + 1);
    const ssize_t got = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(error_of(errno, kDoing, path));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    room = bytes.size() > used ? bytes.size() - used : std::max(kMinRoom, used);
  }
  bytes.resize(used);
  return bytes;
}

Status write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                             unsigned mode) {
  constexpr std::string_view kDoing = "writing";
  std::string name = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) return fail(error_of(errno, kDoing, path));
  Aside aside(name);
  if (::fchmod(file.get(), static_cast<mode_t>(mode)) != 0 || !write_all(file.get(), bytes) ||
      ::fsync(file.get()) != 0 || file.close() != 0 || !aside.rename_to(path)) {
    return fail(error_of(errno, kDoing, path));
  }
  // The new name is safe only when its directory is.
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  const Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open() || ::fsync(directory.get()) != 0) {
    return fail(error_of(errno, kDoing, path));
  }
  return {};
}

}  // namespace weft
