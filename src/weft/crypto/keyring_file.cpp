// The keyring as a file that only its owner can read, and that is never overwritten.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::crypto {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> refused(ErrorCode code, std::string_view doing, const fs::path& path,
                               const std::string& reason) {
  std::string message(doing);
  message.append(" keyring ").append(path.string()).append(": ").append(reason);
  return fail(code, std::move(message));
}

std::unexpected<Error> failed(std::string_view doing, const fs::path& path, int error) {
  return refused(code_of_errno(error), doing, path, std::generic_category().message(error));
}

// One byte beyond the limit is read, and left to the parser to refuse.
Result<std::string> read_all(int fd, const fs::path& path) {
  std::string text(Keyring::kMaxTextBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t n = ::read(fd, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      wipe(text);
      return failed("reading", path, error);
    }
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

}  // namespace

Result<Keyring> load_keyring(const fs::path& path,
                             const std::function<Result<std::string>()>& ask) {
  // Without O_NONBLOCK a pipe of that name would keep us waiting for its writer.
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return failed("reading", path, errno);
  if (Status checked = check_private(fd.get(), path); !checked) {
    return refused(checked.error().code, "reading", path, checked.error().message);
  }
  WEFT_TRY_VALUE(auto text, read_all(fd.get(), path));
  const WipeAtEnd wiped(text);
  Result<Keyring> keyring = Keyring::parse(text, ask);
  if (!keyring) return fail(std::move(keyring).error().within("reading " + path.string()));
  return keyring;
}

Status save_new_keyring(const fs::path& path, const Keyring& keyring,
                        const std::optional<std::string>& passphrase) {
  Result<std::string> text = keyring.to_text(passphrase);
  if (!text) return fail(std::move(text).error().within("writing keyring " + path.string()));
  const WipeAtEnd wiped(*text);

  FileAside aside(path);
  if (!aside.file()) return failed("writing", path, errno);
  const int fd = aside.file().get();
  if (const int error = write_all(fd, *text)) return failed("writing", path, error);
  if (::fsync(fd) != 0 || !aside.file().close()) return failed("writing", path, errno);
  // Of two first uses at once, one makes the keyring and the other finds it whole.
  if (!aside.publish_new()) {
    if (errno == EEXIST) {
      return refused(ErrorCode::invalid_input, "writing", path, "there is one already");
    }
    return failed("writing", path, errno);
  }
  sync_folder_of(path);
  return {};
}

}  // namespace weft::crypto
