// weft up: it shows, follows and serves until it is stopped; weft alone does so on a terminal, and
// ends elsewhere.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <netinet/in.h>

#include <array>

#include "watch_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// A person's terminal with weft in it.
class Terminal {
 public:
  Terminal(const std::vector<std::string>& arguments,
           const std::map<std::string, std::string>& environment)
      : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    const winsize size{.ws_row = 40, .ws_col = 400, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
    const std::string name = ::ptsname(master_);
    std::vector<std::string> words = {WEFT_BINARY}, variables;
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
    ::execve(WEFT_BINARY, argv.data(), envp.data());
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

class Up : public Watching {
 protected:
  std::vector<std::string> on_any_port() const {
    return {"up", "--listen", "127.0.0.1:0", "--source", "claude-code:" + projects().string()};
  }
};

TEST_F(Up, WithOnceItShowsWhatThereIsAndEndsAndSoDoesWeftAloneInAScript) {
  Session session(session_name(1));
  session.human("where is the loom?"), session.says("behind the door");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  std::vector<std::string> once = on_any_port();
  once.emplace_back("--once");
  const std::vector<std::string> alone = {"--source=claude-code:" + projects().string()};
  for (const std::vector<std::string>& arguments : {once, alone}) {
    const Ran ran = weft(arguments);
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_THAT(ran.out, HasSubstr("behind the door"));
    EXPECT_THAT(ran.out, HasSubstr("weft ingest FILE"));
    EXPECT_THAT(ran.out, Not(HasSubstr("following")));
  }
}

TEST_F(Up, WithoutATerminalItShowsFollowsAndServes) {
  Session session(session_name(1));
  session.human("where is the loom?"), session.says("behind the door");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  std::vector<std::string> arguments = on_any_port();
  arguments.emplace_back("--json");
  Talk up(WEFT_BINARY, arguments, weft.environment);
  std::set<std::string> said;
  std::string url;
  while (said.size() < 3) {
    const json::object line = up.next();
    ASSERT_FALSE(line.empty());
    said.insert(line.contains("thoughts") ? "shown" : text(line, "event"));
    if (line.contains("url")) url = text(line, "url");
  }
  EXPECT_THAT(said, testing::ElementsAre("following", "serving", "shown"));
  EXPECT_THAT(url, HasSubstr("http://127.0.0.1:"));
  session.human("and the shuttle?");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.lines.back() + "\n");
  EXPECT_EQ(text(up.next(), "event"), "grew");
  expect_clean_end(up);
}

TEST_F(Up, OnATerminalItShowsFollowsAndServesUntilCtrlC) {
  Session session(session_name(1));
  session.human("where is the loom?"), session.says("behind the door");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  Terminal terminal(on_any_port(), weft.environment);
  if (!terminal.works()) GTEST_SKIP() << "no terminal can be had here";
  EXPECT_TRUE(terminal.shows("behind the door")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("listening on http://127.0.0.1:")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("your own programs on this machine may use it")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("serving at http://127.0.0.1:")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("nothing new yet")) << terminal.seen;
  session.human("and the shuttle?");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.lines.back() + "\n");
  EXPECT_TRUE(terminal.shows("from 1 session, last ")) << terminal.seen;
  EXPECT_TRUE(terminal.shows(" looms: where is the loom?")) << terminal.seen;
  terminal.kill(SIGINT);
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(Up, WithNothingToTakeInItShowsTheSampleAndFollows) {
  Terminal terminal(on_any_port(), weft.environment);
  if (!terminal.works()) GTEST_SKIP() << "no terminal can be had here";
  EXPECT_TRUE(terminal.shows("small sample conversation")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("following")) << terminal.seen;
  terminal.kill(SIGTERM);
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(Up, WithOnceItEndsOnATerminalToo) {
  std::vector<std::string> arguments = on_any_port();
  arguments.emplace_back("--once");
  Terminal terminal(arguments, weft.environment);
  if (!terminal.works()) GTEST_SKIP() << "no terminal can be had here";
  EXPECT_TRUE(terminal.shows("small sample conversation")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("list all commands")) << terminal.seen;
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(Up, WhereThePortIsTakenItSaysSoAndFollows) {
  const int taken = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(taken, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(taken, 1), 0);
  ASSERT_EQ(::getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size), 0);
  std::vector<std::string> arguments = on_any_port();
  arguments[2] = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  Terminal terminal(arguments, weft.environment);
  if (!terminal.works()) GTEST_SKIP() << "no terminal can be had here";
  EXPECT_TRUE(terminal.shows("Following without serving")) << terminal.seen;
  Session session(session_name(1));
  EXPECT_TRUE(terminal.shows("nothing new yet")) << terminal.seen;
  session.human("still there?");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_TRUE(terminal.shows("looms: still there?")) << terminal.seen;
  terminal.kill(SIGINT);
  EXPECT_EQ(terminal.wait(), 0);
  ::close(taken);
}

}  // namespace
}  // namespace weft::test
