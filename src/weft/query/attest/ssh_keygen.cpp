#include "weft/query/attest/ssh_keygen.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/git/child.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kPath = "PATH=/usr/local/bin:/usr/bin:/bin";
constexpr std::chrono::seconds kPatience{60};  // a person types a passphrase

// A file that is gone at the end.
class Temporary {
 public:
  static Result<Temporary> with(std::string_view text) {
    std::string path = (std::filesystem::temp_directory_path() / "weft-XXXXXX").string();
    Fd file(::mkstemp(path.data()));
    if (!file) return fail(errno_error(errno, "creating", path));
    Temporary temporary(std::move(path));
    const int failed = write_all(file.get(), text);
    if (failed != 0) return fail(errno_error(failed, "writing", temporary.path_));
    return temporary;
  }
  Temporary(Temporary&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace

Result<std::string> ssh_sign(const std::string& key_file, std::string_view space,
                             std::string message, const Variable& variable) {
  git::Child child{.program = "ssh-keygen",
                   .arguments = {"-q", "-Y", "sign", "-f", key_file, "-n", std::string(space)},
                   .environment = {std::string(kPath)},
                   .input = std::move(message),
                   .time = kPatience};
  for (const std::string_view name : {"HOME", "SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY", "TERM"}) {
    if (const auto value = variable(name)) {
      child.environment.push_back(std::string(name) + "=" + *value);
    }
  }
  WEFT_TRY_VALUE(const git::ChildOutput output, git::run_child(child));
  if (output.exit == 0 && !output.out.empty()) return output.out;
  const std::string_view reason = output.err;
  return fail(ErrorCode::denied, "ssh-keygen does not sign with " + key_file + ": " +
                                     std::string(reason.substr(0, reason.find('\n'))));
}

Result<bool> ssh_check(std::string_view armoured, std::string_view space, std::string message) {
  WEFT_TRY_VALUE(const Temporary signature, Temporary::with(armoured));
  WEFT_TRY_VALUE(const git::ChildOutput output,
                 git::run_child({.program = "ssh-keygen",
                                 .arguments = {"-q", "-Y", "check-novalidate", "-n",
                                               std::string(space), "-s", signature.path()},
                                 .environment = {std::string(kPath)},
                                 .input = std::move(message),
                                 .time = kPatience}));
  return output.exit == 0;
}

}  // namespace weft::query
