#include "weft/cli/render/out_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "weft/base/posix.hpp"

namespace weft::cli {
namespace {

std::unexpected<Error> failed(const std::filesystem::path& path, int error) {
  if (error == EEXIST) {
    return fail(ErrorCode::invalid_input,
                path.string() + " exists and was not changed; to overwrite it, pass --force");
  }
  Error failure = errno_error(error, "writing", path);
  // invalid_input is the answer that says no: a file exists. Anything else is a failure.
  if (failure.code == ErrorCode::invalid_input) failure.code = ErrorCode::unavailable;
  return fail(std::move(failure));
}

// Renames `from` to `to` unless `to` exists, in one step. Returns 0, or an errno.
int rename_to_new(const char* from, const char* to) {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // Some file systems (NFS) lack this flag. link() never replaces a file either.
  if (::link(from, to) != 0) return errno;
  ::unlink(from);
  return 0;
}

}  // namespace

Result<OutFile> OutFile::create(const std::filesystem::path& path, Existing existing) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) return failed(path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return failed(path, errno);
    return OutFile(file, path, "", existing);
  }
  // An early check, before any work is done; commit() checks again.
  if (existing == Existing::keep && std::filesystem::exists(status)) return failed(path, EEXIST);
  std::string aside = path.string() + ".XXXXXX";
  const int fd = ::mkstemp(aside.data());
  if (fd < 0) return failed(path, errno);
  return OutFile(::fdopen(fd, "wb"), path, std::move(aside), existing);
}

OutFile::OutFile(OutFile&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      path_(std::move(other.path_)),
      aside_(std::exchange(other.aside_, {})),
      existing_(other.existing_) {}

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
  int renamed = 0;
  if (existing_ == Existing::keep) renamed = rename_to_new(aside_.c_str(), path_.c_str());
  else if (::rename(aside_.c_str(), path_.c_str()) != 0) renamed = errno;
  if (renamed != 0) return failed(path_, renamed);
  aside_.clear();
  return {};
}

std::unexpected<Refusal> refuse_file(Error error, std::optional<Exit> otherwise) {
  if (error.code == ErrorCode::invalid_input) return refuse(std::move(error), Exit::no);
  if (otherwise) return refuse(std::move(error), *otherwise);
  return refuse(std::move(error));
}

}  // namespace weft::cli
