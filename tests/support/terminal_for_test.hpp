// A person's terminal with weft, or another program, in it: a pseudo terminal that is the program's
// controlling one.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::test {

// The size of the terminal in characters.
struct TerminalSize {
  unsigned columns = 400, rows = 40;
};

class Terminal {
 public:
  Terminal(const std::vector<std::string>& arguments,
           const std::map<std::string, std::string>& environment, TerminalSize shape = {})
      : Terminal(WEFT_BINARY, arguments, environment, shape) {}
  Terminal(const std::string& program, const std::vector<std::string>& arguments,
           const std::map<std::string, std::string>& environment, TerminalSize shape)
      : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    const winsize size{.ws_row = static_cast<unsigned short>(shape.rows),
                       .ws_col = static_cast<unsigned short>(shape.columns),
                       .ws_xpixel = 0,
                       .ws_ypixel = 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
    const std::string name = ::ptsname(master_);
    std::vector<std::string> words = {program}, variables;
    words.insert(words.end(), arguments.begin(), arguments.end());
    for (const auto& [key, value] : environment) variables.push_back(key + "=" + value);
    std::vector<char*> argv, envp;
    for (std::string& word : words) argv.push_back(word.data());
    for (std::string& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    child_ = ::fork();
    if (child_ != 0) return;
    ::setsid();
    const int slave = ::open(name.c_str(), O_RDWR);
    for (const int end : {0, 1, 2}) ::dup2(slave, end);
    ::execve(program.c_str(), argv.data(), envp.data());
    ::_exit(127);
  }
  ~Terminal() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    if (master_ >= 0) ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool works() const { return child_ > 0; }
  // Until that stands on it; false if it never will.
  bool shows(std::string_view text) {
    while (seen.find(text) == std::string::npos) {
      pollfd ready{.fd = master_, .events = POLLIN, .revents = 0};
      std::array<char, 4096> buffer{};
      if (::poll(&ready, 1, 120'000) <= 0) return false;
      const ssize_t got = ::read(master_, buffer.data(), buffer.size());
      if (got <= 0) return false;
      seen.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return true;
  }
  void type(char key) const { ASSERT_EQ(::write(master_, &key, 1), 1); }
  void type(std::string_view keys) const {
    for (const char key : keys) type(key);
  }
  // Reads to the end. Then wait().
  void read_all() { shows(std::string(1, '\0')); }
  void kill(int signal) const { ::kill(child_, signal); }
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string seen;

 private:
  int master_;
  pid_t child_ = -1;
};

}  // namespace weft::test
