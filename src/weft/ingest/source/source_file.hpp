// A file to be taken in, opened so that nothing odd can hang or fool the reader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::ingest {

// By what a file is known again, and what tells that it was changed.
struct FileState {
  std::uint64_t device = 0, inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

class SourceFile {
 public:
  // A regular file that can be read; directories, FIFOs, devices and sockets are refused
  // as invalid_input, without waiting for anybody to write into them. not_found, denied.
  static Result<SourceFile> open(const std::filesystem::path& path);
  SourceFile(SourceFile&& other) noexcept;
  SourceFile& operator=(SourceFile&&) = delete;
  ~SourceFile();

  // From now on it counts as changed when a file of that folder is, too.
  void follow(std::filesystem::path folder);
  // When it was opened, and now.
  const FileState& state() const { return state_; }
  Result<FileState> state_now() const;
  int descriptor() const { return fd_; }
  // Where the open file lies, all links resolved, as the system knows it. unavailable where it
  // does not tell.
  Result<std::filesystem::path> real_path() const;

  // Where the next read() begins.
  void seek(std::uint64_t offset) { offset_ = offset; }
  // The next bytes, at most `limit`; fewer, or none, at the end. They stand in `buffer`.
  Result<std::string_view> read(std::string& buffer, std::size_t limit);
  // The bytes from `offset` on, wherever read() is.
  Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;

 private:
  explicit SourceFile(int fd) : fd_(fd) {}
  int fd_;
  std::uint64_t offset_ = 0;
  FileState state_;
  std::filesystem::path followed_;  // empty: none is
};

}  // namespace weft::ingest
