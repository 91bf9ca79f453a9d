#include "weft/cli/out_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace weft::cli {
namespace {

std::unexpected<Error> failed(const std::filesystem::path& path, int error) {
  const ErrorCode code = error == ENOENT || error == ENOTDIR ? ErrorCode::not_found
                         : error == EACCES || error == EPERM || error == EROFS
                             ? ErrorCode::denied
                             : ErrorCode::unavailable;
  return fail(code, "writing " + path.string() + ": " + std::generic_category().message(error));
}

}  // namespace

Result<OutFile> OutFile::create(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) return failed(path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return failed(path, errno);
    return OutFile(file, path, "");
  }
  std::string aside = path.string() + ".XXXXXX";
  const int fd = ::mkstemp(aside.data());
  if (fd < 0) return failed(path, errno);
  return OutFile(::fdopen(fd, "wb"), path, std::move(aside));
}

OutFile::OutFile(OutFile&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      path_(std::move(other.path_)),
      aside_(std::exchange(other.aside_, {})) {}

OutFile::~OutFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

Status OutFile::commit() {
  const bool arrived = std::fflush(file_) == 0 && std::ferror(file_) == 0 &&
                       (aside_.empty() || ::fsync(::fileno(file_)) == 0);
  const int error = errno;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!arrived || !closed) return failed(path_, arrived ? errno : error);
  if (aside_.empty()) return {};
  if (::rename(aside_.c_str(), path_.c_str()) != 0) return failed(path_, errno);
  aside_.clear();
  return {};
}

}  // namespace weft::cli
