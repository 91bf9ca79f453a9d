// A file for an answer: written aside, piece by piece, and in place only once it is whole.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/app/answer.hpp"

namespace weft::cli {

// What happens to a file that exists.
enum class Existing { keep, replace };

class OutFile {
 public:
  // Mode 0600: what weft writes may be what it keeps sealed. What is no regular file
  // (/dev/stdout, a pipe) is written to directly. invalid_input if a file exists that is to be
  // kept; not_found, denied, unavailable.
  static Result<OutFile> create(const std::filesystem::path& path, Existing existing);

  OutFile(OutFile&& other) noexcept;
  OutFile& operator=(OutFile&&) = delete;
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;
  ~OutFile();  // without commit() nothing is left

  std::FILE* stream() const { return file_; }
  // Puts the file in its place. Fails if anything that was written did not arrive. invalid_input
  // if a file that is to be kept came into being since create().
  [[nodiscard]] Status commit();

 private:
  OutFile(std::FILE* file, std::filesystem::path path, std::string aside, Existing existing)
      : file_(file), path_(std::move(path)), aside_(std::move(aside)), existing_(existing) {}

  std::FILE* file_;
  std::filesystem::path path_;
  std::string aside_;  // empty where it is written to directly
  Existing existing_;
};

// For an error of create() or commit(). A file that exists is an answer, and the exit code is 1;
// for all else it is `otherwise`, or what refuse() makes of the error.
std::unexpected<Refusal> refuse_file(Error error, std::optional<Exit> otherwise = {});

}  // namespace weft::cli
