// A file to ingest, opened so that FIFOs, devices and races cannot hang or mislead the reader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::ingest {

// Identifies a file, and shows whether it was changed.
struct FileState {
  std::uint64_t device = 0, inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

class SourceFile {
 public:
  // Opens a regular file. invalid_input for directories, FIFOs, devices and sockets, without
  // waiting for a writer; not_found, denied.
  static Result<SourceFile> open(const std::filesystem::path& path);
  SourceFile(SourceFile&& other) noexcept;
  SourceFile& operator=(SourceFile&&) = delete;
  ~SourceFile();

  // From now on the file also counts as changed when a file of that folder changes.
  void follow(std::filesystem::path folder);
  // The state when the file was opened, and now.
  const FileState& state() const { return state_; }
  Result<FileState> state_now() const;
  int descriptor() const { return fd_; }
  // The path of the open file as the system knows it, all links resolved. unavailable if /proc
  // cannot be read.
  Result<std::filesystem::path> real_path() const;

  // Where the next read() begins.
  void seek(std::uint64_t offset) { offset_ = offset; }
  // The next bytes, at most `limit`; fewer, or none, at the end. The view points into `buffer`.
  Result<std::string_view> read(std::string& buffer, std::size_t limit);
  // The bytes from `offset` on, wherever read() is; fewer at the end.
  Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;

 private:
  explicit SourceFile(int fd) : fd_(fd) {}
  int fd_;
  std::uint64_t offset_ = 0;
  FileState state_;
  std::filesystem::path followed_;  // empty if there is none
};

}  // namespace weft::ingest
