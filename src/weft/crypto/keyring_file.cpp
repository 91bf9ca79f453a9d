// The keyring as a file that only its owner can read, and that is never overwritten.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "weft/crypto/keyring.hpp"

namespace weft::crypto {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  // Closes now, to hear of errors that only then come up.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

ErrorCode code_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: return ErrorCode::not_found;
    case EACCES:
    case EPERM:
    case EROFS: return ErrorCode::denied;
    case ELOOP:
    case ENAMETOOLONG:
    case EISDIR: return ErrorCode::invalid_input;
    default: return ErrorCode::unavailable;
  }
}

std::unexpected<Error> refused(ErrorCode code, std::string_view doing, const fs::path& path,
                               const std::string& reason) {
  std::string message(doing);
  message.append(" keyring ").append(path.string()).append(": ").append(reason);
  return fail(code, std::move(message));
}

std::unexpected<Error> failed(std::string_view doing, const fs::path& path, int error) {
  return refused(code_of(error), doing, path, std::generic_category().message(error));
}

// Asked of the open file, so that what is checked is what is read.
Status check_private(int fd, const fs::path& path) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return failed("reading", path, errno);
  if (!S_ISREG(info.st_mode)) {
    return refused(ErrorCode::invalid_input, "reading", path, "not a file");
  }
  if (info.st_uid != ::geteuid() && info.st_uid != 0) {
    return refused(ErrorCode::denied, "reading", path,
                   "it belongs to another user; keep a copy of your own");
  }
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return refused(ErrorCode::denied, "reading", path,
                   "others can get at it; run: chmod 600 '" + path.string() + "'");
  }
  return {};
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

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// Removes the file beside the keyring, whether that was published or not.
class Aside {
 public:
  explicit Aside(const fs::path& path) : name_(path.string() + ".new-XXXXXX") {}
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    if (made_) ::unlink(name_.c_str());
  }

  // Mode 0600. A negative descriptor means failure, and errno says which.
  int make() {
    const int fd = ::mkostemp(name_.data(), O_CLOEXEC);
    made_ = fd >= 0;
    return fd;
  }
  const char* name() const { return name_.c_str(); }

 private:
  std::string name_;
  bool made_ = false;
};

// So that the name survives a power cut as well as the bytes do.
void sync_directory_of(const fs::path& path) {
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
}

}  // namespace

Result<Keyring> load_keyring(const fs::path& path,
                             const std::function<Result<std::string>()>& ask) {
  // Without O_NONBLOCK a pipe of that name would keep us waiting for its writer.
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) return failed("reading", path, errno);
  if (Status checked = check_private(fd.get(), path); !checked) {
    return fail(std::move(checked).error());
  }
  Result<std::string> text = read_all(fd.get(), path);
  if (!text) return fail(std::move(text).error());
  const WipeAtEnd wiped(*text);
  Result<Keyring> keyring = Keyring::parse(*text, ask);
  if (!keyring) return fail(std::move(keyring).error().within("reading " + path.string()));
  return keyring;
}

Status save_new_keyring(const fs::path& path, const Keyring& keyring,
                        const std::optional<std::string>& passphrase) {
  Result<std::string> text = keyring.to_text(passphrase);
  if (!text) return fail(std::move(text).error().within("writing keyring " + path.string()));
  const WipeAtEnd wiped(*text);

  Aside aside(path);
  Descriptor fd(aside.make());
  if (fd.get() < 0) return failed("writing", path, errno);
  if (const int error = write_all(fd.get(), *text)) return failed("writing", path, error);
  if (::fsync(fd.get()) != 0 || !fd.close()) return failed("writing", path, errno);
  // A link, unlike a rename, fails if the name is taken: of two first uses at once
  // one makes the keyring, and the other finds it whole.
  if (::link(aside.name(), path.c_str()) != 0) {
    if (errno == EEXIST) {
      return refused(ErrorCode::invalid_input, "writing", path, "there is one already");
    }
    return failed("writing", path, errno);
  }
  sync_directory_of(path);
  return {};
}

}  // namespace weft::crypto
