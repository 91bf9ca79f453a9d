#include "weft/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "weft/base/posix.hpp"

namespace weft {
Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  constexpr std::string_view kDoing = "reading";
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail(errno_error(errno, kDoing, path));
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) return fail(errno_error(errno, kDoing, path));
  if (S_ISDIR(info.st_mode)) return fail(errno_error(EISDIR, kDoing, path));
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
    if (got < 0) return fail(errno_error(errno, kDoing, path));
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
  FileAside aside(path);
  if (!aside.file()) return fail(errno_error(errno, kDoing, path));
  const int fd = aside.file().get();
  if (const int number = write_all(fd, bytes)) return fail(errno_error(number, kDoing, path));
  // The new name is safe only when its folder is.
  if (::fchmod(fd, static_cast<mode_t>(mode)) != 0 || ::fsync(fd) != 0 || !aside.file().close() ||
      !aside.replace() || !sync_folder_of(path)) {
    return fail(errno_error(errno, kDoing, path));
  }
  return {};
}

Status write_file_quickly(const std::filesystem::path& path, std::string_view bytes) {
  constexpr std::string_view kDoing = "writing";
  FileAside aside(path);
  if (!aside.file()) return fail(errno_error(errno, kDoing, path));
  if (const int number = write_all(aside.file().get(), bytes)) {
    return fail(errno_error(number, kDoing, path));
  }
  if (!aside.replace()) return fail(errno_error(errno, kDoing, path));
  return {};
}

}  // namespace weft
