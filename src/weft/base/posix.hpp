// The POSIX calls that weft makes on files, with ownership and errors: an owning descriptor, errno
// as an Error, writing all bytes, files written aside, and the check that a file is private.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "weft/base/result.hpp"

namespace weft {

// A file descriptor that closes itself. -1 is "not open".
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd();

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  // Closes now: a write may fail only here. False, and errno says why.
  [[nodiscard]] bool close();

 private:
  int fd_ = -1;
};

// The error code of an errno. ENOENT is not_found, a missing permission denied, a wrong kind of
// file or name invalid_input, anything else unavailable: a full disk can get room again.
ErrorCode code_of_errno(int number);
// "writing /path: No space left on device".
Error errno_error(int number, std::string_view doing, const std::filesystem::path& path);

// Writes all of `bytes`, however many calls that needs. 0, or the errno.
[[nodiscard]] int write_all(int fd, std::string_view bytes);

// Checks that an open file is a regular file of this user (or root) that nobody else can read or
// write. invalid_input or denied; the message is the reason alone, without the path but in the
// command that cures it. Checking the descriptor makes sure that what is checked is what is read.
Status check_private(int fd, const std::filesystem::path& path);

// A new file beside `path`, mode 0600, for bytes that must appear there whole. It is removed again
// unless it took its place.
class FileAside {
 public:
  explicit FileAside(const std::filesystem::path& path);
  FileAside(const FileAside&) = delete;
  FileAside& operator=(const FileAside&) = delete;
  ~FileAside();

  // Not open if it could not be made; errno says why.
  Fd& file() { return file_; }
  // Takes the place of whatever is at the path. False, and errno says why.
  [[nodiscard]] bool replace();
  // Takes its place only if nothing is there: EEXIST otherwise.
  [[nodiscard]] bool publish_new();

 private:
  std::filesystem::path path_;
  std::string name_;
  Fd file_;
};

// Makes the names in the folder of `path` survive a loss of power. False, and errno says why.
bool sync_folder_of(const std::filesystem::path& path);

}  // namespace weft
