#include "weft/ingest/source_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace weft::ingest {
namespace {

Error error_of(int number) {
  const ErrorCode code = number == ENOENT || number == ENOTDIR ? ErrorCode::not_found
                         : number == EACCES || number == EPERM ? ErrorCode::denied
                                                               : ErrorCode::unavailable;
  return {code, std::strerror(number)};  // NOLINT(concurrency-mt-unsafe): glibc's is safe
}

}  // namespace

Result<SourceFile> SourceFile::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO that nobody writes to must not wait.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return fail(error_of(errno));
  SourceFile file(fd, 0);
  struct stat about{};
  if (::fstat(fd, &about) != 0) return fail(error_of(errno));
  if (S_ISDIR(about.st_mode)) return fail(ErrorCode::invalid_input, "is a directory");
  if (!S_ISREG(about.st_mode)) return fail(ErrorCode::invalid_input, "is not a regular file");
  file.size_ = static_cast<std::uint64_t>(about.st_size);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return file;
}

SourceFile::SourceFile(SourceFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}

SourceFile::~SourceFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::string_view> SourceFile::read(std::string& buffer, std::size_t limit) {
  buffer.resize(limit);
  std::size_t filled = 0;
  while (filled < limit) {
    const ssize_t got = ::read(fd_, buffer.data() + filled, limit - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(error_of(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return std::string_view(buffer).substr(0, filled);
}

}  // namespace weft::ingest
