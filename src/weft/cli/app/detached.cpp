#include "weft/cli/app/detached.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <system_error>

namespace weft::cli {
namespace {

void close_all_but(int kept) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (nowhere >= 0) ::dup2(nowhere, standard);
    else ::close(standard);
  }
  const auto first = static_cast<unsigned>(STDERR_FILENO + 1);
  const auto last = std::numeric_limits<unsigned>::max();
  if (kept <= STDERR_FILENO) {
    ::close_range(first, last, 0);
    return;
  }
  const auto number = static_cast<unsigned>(kept);
  if (number > first) ::close_range(first, number - 1, 0);
  ::close_range(number + 1, last, 0);
}

[[noreturn]] void run_detached(const std::function<void()>& work, int kept) {
  // The process in between exits at once, so that the caller need not wait for the detached one.
  ::setsid();
  const pid_t worker = ::fork();
  if (worker != 0) ::_exit(worker < 0 ? 1 : 0);
  ::umask(077);
  close_all_but(kept);
  work();
  ::_exit(0);
}

}  // namespace

Status do_detached(const std::function<void()>& work, int kept) {
  const pid_t between = ::fork();
  if (between == 0) run_detached(work, kept);
  const auto failed = [] {
    return fail(ErrorCode::unavailable,
                "starting a process: " + std::generic_category().message(errno));
  };
  if (between < 0) return failed();
  int status = 0;
  while (::waitpid(between, &status, 0) < 0) {
    if (errno != EINTR) return failed();
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  errno = EAGAIN;
  return failed();
}

}  // namespace weft::cli
