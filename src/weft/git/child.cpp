#include "weft/git/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"

namespace weft::git {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostErrors = 16u << 10;
// How soon a stop is noticed while the program prints nothing.
constexpr int kPollMs = 50;

std::unexpected<Error> cannot(std::string_view program, std::string_view doing, int number) {
  return fail(ErrorCode::unavailable, "running " + std::string(program) + ": " +
                                          std::string(doing) + ": " + std::strerror(number));
}

// A descriptor that is none of stdin, stdout and stderr, also where weft was started without them.
Fd above_standard(Fd fd) {
  if (!fd || fd.get() > STDERR_FILENO) return fd;
  return Fd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

struct Pipe {
  Fd read, write;
};

Result<Pipe> make_pipe(std::string_view program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot(program, "making a pipe", errno);
  return Pipe{above_standard(Fd(ends[0])), above_standard(Fd(ends[1]))};
}

// stdin: a file in memory, so that a program that reads nothing cannot block weft.
Result<Fd> open_input(const Child& child) {
  if (!child.input) {
    Fd none = above_standard(Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
    if (!none) return cannot(child.program, "opening /dev/null", errno);
    return none;
  }
  Fd input = above_standard(Fd(::memfd_create("weft-input", MFD_CLOEXEC)));
  if (!input) return cannot(child.program, "preparing its input", errno);
  if (const int failed = write_all(input.get(), *child.input); failed != 0) {
    return cannot(child.program, "preparing its input", failed);
  }
  if (::lseek(input.get(), 0, SEEK_SET) != 0) return cannot(child.program, "its input", errno);
  return input;
}

// The started program. Killed with everything that it started, unless it was waited for.
class Process {
 public:
  explicit Process(pid_t id) : id_(id) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (id_ <= 0) return;
    ::kill(-id_, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t id_;
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// 0, or the errno. The program leads a group of its own and has no blocked or ignored signals.
int spawn(const Child& child, int in, int out, int err, pid_t& id) {
  std::vector<std::string> words = child.arguments, variables = child.environment;
  words.insert(words.begin(), child.program);
  std::vector<char*> argv = pointers_to(words), envp = pointers_to(variables);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes,
      static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
  const int failed =
      ::posix_spawnp(&id, child.program.c_str(), &actions, &attributes, argv.data(), envp.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return failed;
}

// Appends what can be read. False at the end, or if the pipe fails.
bool read_some(int fd, std::string& into) {
  std::array<char, 64u << 10> buffer{};
  const ssize_t got = ::read(fd, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

// Reads both streams to their ends.
Status read_all(const Child& child, Pipe& out, Pipe& err, ChildOutput& output) {
  const Clock::time_point deadline = Clock::now() + child.time;
  std::array<pollfd, 2> streams = {
      pollfd{.fd = out.read.get(), .events = POLLIN, .revents = 0},
      pollfd{.fd = err.read.get(), .events = POLLIN, .revents = 0},
  };
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (child.stop.stop_requested()) {
      return fail(ErrorCode::unavailable, "the query was cancelled");
    }
    if (Clock::now() >= deadline) {
      return fail(ErrorCode::unavailable, child.program + " took longer than " +
                                              std::to_string(child.time.count() / 1000) +
                                              " s and was ended");
    }
    const int ready = ::poll(streams.data(), streams.size(), kPollMs);
    if (ready < 0 && errno != EINTR) return cannot(child.program, "waiting for it", errno);
    if (ready <= 0) continue;
    // A negative descriptor is no longer polled.
    if (streams[0].revents != 0 && !read_some(streams[0].fd, output.out)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !read_some(streams[1].fd, output.err)) streams[1].fd = -1;
    if (output.out.size() > child.most_output) {
      return fail(ErrorCode::invalid_input, child.program + " printed more than " +
                                                std::to_string(child.most_output >> 20) +
                                                " MB and was ended");
    }
    if (output.err.size() > kMostErrors) output.err.resize(kMostErrors);
  }
  return {};
}

}  // namespace

Result<ChildOutput> run_child(const Child& child) {
  WEFT_TRY_VALUE(const Fd input, open_input(child));
  WEFT_TRY_VALUE(Pipe out, make_pipe(child.program));
  WEFT_TRY_VALUE(Pipe err, make_pipe(child.program));
  pid_t id = -1;
  if (const int failed = spawn(child, input.get(), out.write.get(), err.write.get(), id)) {
    if (failed == ENOENT) {
      return fail(ErrorCode::not_found, child.program + " is not installed");
    }
    return cannot(child.program, "starting it", failed);
  }
  Process process(id);
  // Otherwise the ends of the streams never come.
  out.write = Fd();
  err.write = Fd();
  ChildOutput output;
  WEFT_TRY(read_all(child, out, err, output));
  output.exit = process.wait();
  return output;
}

}  // namespace weft::git
