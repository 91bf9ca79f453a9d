// A file to be taken in, opened so that nothing odd can hang or fool the reader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::ingest {

class SourceFile {
 public:
  // A regular file that can be read; directories, FIFOs, devices and sockets are refused
  // as invalid_input, without waiting for anybody to write into them. not_found, denied.
  static Result<SourceFile> open(const std::filesystem::path& path);
  SourceFile(SourceFile&& other) noexcept;
  SourceFile& operator=(SourceFile&&) = delete;
  ~SourceFile();

  std::uint64_t size() const { return size_; }
  // The next bytes, at most `limit`; fewer, or none, at the end. They stand in `buffer`.
  Result<std::string_view> read(std::string& buffer, std::size_t limit);

 private:
  SourceFile(int fd, std::uint64_t size) : fd_(fd), size_(size) {}
  int fd_;
  std::uint64_t size_;
};

}  // namespace weft::ingest
