#include "weft/base/quick_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace weft {

Status write_file_quickly(const std::filesystem::path& path, std::string_view bytes) {
  const std::string aside = path.string() + "." + std::to_string(::getpid()) + ".new";
  const int file = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool is_there = file >= 0;
  // What is small is written at once, or not at all.
  is_there =
      is_there && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  is_there = is_there && ::rename(aside.c_str(), path.c_str()) == 0;
  const int number = errno;
  if (file >= 0) ::close(file);
  if (is_there) return {};
  if (file >= 0) ::unlink(aside.c_str());
  const bool is_forbidden =
      number == EACCES || number == EPERM || number == EROFS || number == ENOENT;
  return fail(is_forbidden ? ErrorCode::denied : ErrorCode::unavailable,
              "writing " + path.string() + ": " + std::generic_category().message(number));
}

}  // namespace weft
