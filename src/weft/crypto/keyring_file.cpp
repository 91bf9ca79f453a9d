// The keyring as a file that only its owner can read. Only the same keyring ever replaces it.
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

namespace {

// The text on disk, in a file of its own.
Status write_aside(FileAside& aside, const fs::path& path, std::string_view text) {
  if (!aside.file()) return failed("writing", path, errno);
  const int fd = aside.file().get();
  if (const int error = write_all(fd, text)) return failed("writing", path, error);
  if (::fsync(fd) != 0 || !aside.file().close()) return failed("writing", path, errno);
  return {};
}

// The same keys by the same owner: their texts without a passphrase are equal.
Result<bool> is_same(const Keyring& a, const Keyring& b) {
  WEFT_TRY_VALUE(auto first, a.to_text(std::nullopt));
  const WipeAtEnd wipe_first(first);
  WEFT_TRY_VALUE(auto second, b.to_text(std::nullopt));
  const WipeAtEnd wipe_second(second);
  return equal_in_constant_time(first, second);
}

// What opens again is what was meant.
Status check_text(std::string_view text, const Keyring& keyring,
                  const std::optional<std::string>& passphrase) {
  WEFT_TRY_VALUE(auto again, Keyring::parse(text, [&]() -> Result<std::string> {
                   return passphrase.value_or(std::string());
                 }));
  WEFT_TRY_VALUE(auto same, is_same(again, keyring));
  if (!same) return fail(ErrorCode::internal, "the new keyring does not hold the same keys");
  return {};
}

// The owner and the kind stand clear in the file, so no passphrase is needed to compare them.
Status check_replaceable(const fs::path& path, const Keyring& keyring) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return failed("replacing", path, errno);
  if (const Status checked = check_private(fd.get(), path); !checked) {
    return refused(checked.error().code, "replacing", path, checked.error().message);
  }
  WEFT_TRY_VALUE(auto text, read_all(fd.get(), path));
  const WipeAtEnd wiped(text);
  const Result<Keyring::Facts> facts = Keyring::read_facts(text);
  if (!facts || facts->kind != keyring.kind() || facts->owner_key != keyring.owner_key()) {
    return refused(ErrorCode::invalid_input, "replacing", path,
                   "it is another keyring; nothing was changed");
  }
  return {};
}

}  // namespace

Status replace_keyring(const fs::path& path, const Keyring& keyring,
                       const std::optional<std::string>& passphrase) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return failed("replacing", path, error.value());
  WEFT_TRY(check_replaceable(real, keyring));
  Result<std::string> text = keyring.to_text(passphrase);
  if (!text) return fail(std::move(text).error().within("writing keyring " + path.string()));
  const WipeAtEnd wiped(*text);
  WEFT_TRY(check_text(*text, keyring, passphrase));
  FileAside aside(real);
  WEFT_TRY(write_aside(aside, real, *text));
  if (!aside.replace()) return failed("writing", path, errno);
  if (!sync_folder_of(real)) return failed("writing", path, errno);
  return {};
}

Status save_new_keyring(const fs::path& path, const Keyring& keyring,
                        const std::optional<std::string>& passphrase) {
  Result<std::string> text = keyring.to_text(passphrase);
  if (!text) return fail(std::move(text).error().within("writing keyring " + path.string()));
  const WipeAtEnd wiped(*text);

  FileAside aside(path);
  WEFT_TRY(write_aside(aside, path, *text));
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
