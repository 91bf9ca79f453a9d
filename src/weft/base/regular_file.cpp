#include "weft/base/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "weft/base/posix.hpp"

namespace weft {

Result<std::string> read_regular_file(const std::filesystem::path& path, std::size_t limit,
                                      Readers readers) {
  constexpr std::string_view kDoing = "reading";
  const auto refused = [&](ErrorCode code, const std::string& why) {
    return fail(code, "reading " + path.string() + ": " + why);
  };
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return fail(errno_error(errno, kDoing, path));
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) return fail(errno_error(errno, kDoing, path));
  if (!S_ISREG(info.st_mode)) {
    return refused(ErrorCode::invalid_input, "not a regular file; put a file there, or remove it");
  }
  if (readers == Readers::owner_only) {
    if (const Status checked = check_private(file.get(), path); !checked) {
      return refused(checked.error().code, checked.error().message);
    }
  }
  // Reserved once, so that no copy of a secret stays behind when it grows.
  std::string bytes(limit + 1, '\0');
  std::size_t used = 0;
  while (used < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(errno_error(errno, kDoing, path));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  if (used > limit) {
    return refused(ErrorCode::invalid_input, "larger than " + std::to_string(limit) + " bytes");
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace weft
