// An output file: written aside, piece by piece, and renamed into place once it is complete.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/app/answer.hpp"

namespace weft::cli {

// What happens to an existing file.
enum class Existing { keep, replace };

class OutFile {
 public:
  // Mode 0600: weft may write what it keeps sealed. Anything but a regular file (/dev/stdout, a
  // pipe) is written directly. invalid_input if a file exists that is to be kept; not_found,
  // denied, unavailable.
  static Result<OutFile> create(const std::filesystem::path& path, Existing existing);

  OutFile(OutFile&& other) noexcept;
  OutFile& operator=(OutFile&&) = delete;
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;
  ~OutFile();  // without commit() nothing is left

  std::FILE* stream() const { return file_; }
  // Whether it is written aside; false for a device or a pipe.
  bool is_aside() const { return !aside_.empty(); }
  // Renames the file into place. Fails if a write failed. invalid_input if a file that is to be
  // kept was created since create().
  [[nodiscard]] Status commit();

 private:
  OutFile(std::FILE* file, std::filesystem::path path, std::string aside, Existing existing)
      : file_(file), path_(std::move(path)), aside_(std::move(aside)), existing_(existing) {}

  std::FILE* file_;
  std::filesystem::path path_;
  std::string aside_;  // empty if it is written directly
  Existing existing_;
};

// For an error of create() or commit(). That a file exists is an answer, with exit code 1; any
// other error has the code `otherwise`, or that of refuse().
std::unexpected<Refusal> refuse_file(Error error, std::optional<Exit> otherwise = {});

}  // namespace weft::cli
