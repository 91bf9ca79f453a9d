#include "weft/cli/read/pager.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace weft::cli {
namespace {

bool is_less(const std::string& pager) {
  const std::string program = pager.substr(0, pager.find(' '));
  return program == "less" || program.ends_with("/less");
}

// A search that less begins with. Other pagers do not know it.
std::string command_for(const std::string& pager, std::string_view at) {
  if (!is_less(pager) || at.empty()) return pager;
  // With some of what stands before it in sight.
  return pager + " -j.3 '+/^" + std::string(at) + "'";
}

// The program after the fork. Ctrl-C is for the pager: there it ends a search, not the reading.
[[noreturn]] void become(const std::string& command, int input) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  ::dup2(input, STDIN_FILENO);
  // F: a text that fits the screen needs no scrolling. X: it stays on the screen afterwards.
  ::setenv("LESS", "FRX", 0);
  ::setenv("LESSCHARSET", "utf-8", 0);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  ::_exit(127);
}

bool is_missing(const std::string& pager) {
  // `command -v` answers without running it.
  const std::string program = pager.substr(0, pager.find(' '));
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) != 0;
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (::access((std::string(folder) + "/" + program).c_str(), X_OK) == 0) return false;
  }
  return true;
}

}  // namespace

std::optional<Pager> Pager::start(const Environment& environment, std::string_view at) {
  const std::string pager = environment.pager.value_or(std::string(kDefaultPager));
  if (environment.terminal.dumb || pager == "cat" || is_missing(pager)) return std::nullopt;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const std::string command = command_for(pager, at);
  const pid_t child = ::fork();
  if (child == 0) become(command, ends[0]);
  ::close(ends[0]);
  std::FILE* pipe = child < 0 ? nullptr : ::fdopen(ends[1], "w");
  if (pipe == nullptr) {
    ::close(ends[1]);
    return std::nullopt;
  }
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  return Pager(pipe, child, is_less(pager));
}

Pager::Pager(Pager&& other) noexcept
    : pipe_(std::exchange(other.pipe_, nullptr)),
      child_(std::exchange(other.child_, -1)),
      is_less_(other.is_less_) {}

Pager::~Pager() {
  if (pipe_ != nullptr) std::fclose(pipe_);
  if (child_ <= 0) return;
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, SIG_DFL);
}

bool Pager::write(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), pipe_) == text.size();
}

}  // namespace weft::cli
