#include "weft/ingest/source/source_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

FileState to_state(const struct stat& about) {
  return {
      .device = about.st_dev,
      .inode = about.st_ino,
      .size = static_cast<std::uint64_t>(about.st_size),
      .modified_ns = std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec};
}

// The newest modification time of the files in a folder; 0 if there is none.
std::int64_t newest_in(const std::filesystem::path& folder) {
  std::int64_t newest = 0;
  std::error_code failed;
  std::filesystem::directory_iterator entries(folder, failed);
  for (; !failed && entries != std::filesystem::directory_iterator(); entries.increment(failed)) {
    struct stat about{};
    if (::stat(entries->path().c_str(), &about) != 0 || !S_ISREG(about.st_mode)) continue;
    newest = std::max(newest, to_state(about).modified_ns);
  }
  return newest;
}

// Fills `buffer` from `offset` on, as far as the file goes; returns the number of bytes.
Result<std::size_t> fill(int fd, std::string& buffer, std::uint64_t offset) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t got = ::pread(fd, buffer.data() + filled, buffer.size() - filled,
                                static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(error_of(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

}  // namespace

Result<SourceFile> SourceFile::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO that nobody writes to must not wait.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return fail(error_of(errno));
  SourceFile file(fd);
  struct stat about{};
  if (::fstat(fd, &about) != 0) return fail(error_of(errno));
  if (S_ISDIR(about.st_mode)) return fail(ErrorCode::invalid_input, "is a directory");
  if (!S_ISREG(about.st_mode)) return fail(ErrorCode::invalid_input, "is not a regular file");
  file.state_ = to_state(about);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return file;
}

SourceFile::SourceFile(SourceFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      offset_(other.offset_),
      state_(other.state_),
      followed_(std::move(other.followed_)) {}

SourceFile::~SourceFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<FileState> SourceFile::state_now() const {
  struct stat about{};
  if (::fstat(fd_, &about) != 0) return fail(error_of(errno));
  FileState state = to_state(about);
  if (!followed_.empty()) state.modified_ns = std::max(state.modified_ns, newest_in(followed_));
  return state;
}

Result<std::filesystem::path> SourceFile::real_path() const {
  std::error_code failed;
  std::filesystem::path path =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd_), failed);
  if (failed || !path.is_absolute()) {
    return fail(ErrorCode::unavailable,
                "cannot find the path of an open file: /proc cannot be read");
  }
  return path;
}

void SourceFile::follow(std::filesystem::path folder) {
  followed_ = std::move(folder);
  if (const Result<FileState> now = state_now()) state_ = *now;
}

Result<std::string_view> SourceFile::read(std::string& buffer, std::size_t limit) {
  buffer.resize(limit);
  const Result<std::size_t> got = fill(fd_, buffer, offset_);
  if (!got) return fail(got.error());
  offset_ += *got;
  return std::string_view(buffer).substr(0, *got);
}

Result<std::string> SourceFile::read_at(std::uint64_t offset, std::size_t size) const {
  std::string buffer(size, '\0');
  const Result<std::size_t> got = fill(fd_, buffer, offset);
  if (!got) return fail(got.error());
  buffer.resize(*got);
  return buffer;
}

}  // namespace weft::ingest
