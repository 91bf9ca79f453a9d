// A file for an answer: written aside, piece by piece, and in place only once it is whole.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

#include "weft/base/result.hpp"

namespace weft::cli {

class OutFile {
 public:
  // Mode 0600: what weft writes may be what it keeps sealed. What is no regular file
  // (/dev/stdout, a pipe) is written to directly. not_found, denied, unavailable.
  static Result<OutFile> create(const std::filesystem::path& path);

  OutFile(OutFile&& other) noexcept;
  OutFile& operator=(OutFile&&) = delete;
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;
  ~OutFile();  // without commit() nothing is left

  std::FILE* stream() const { return file_; }
  // Puts the file in its place. Fails if anything that was written did not arrive.
  [[nodiscard]] Status commit();

 private:
  OutFile(std::FILE* file, std::filesystem::path path, std::string aside)
      : file_(file), path_(std::move(path)), aside_(std::move(aside)) {}

  std::FILE* file_;
  std::filesystem::path path_;
  std::string aside_;  // empty where it is written to directly
};

}  // namespace weft::cli
