// weft up: it shows, follows and serves until it is stopped; weft alone does so on a terminal, and
// ends elsewhere.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <netinet/in.h>

#include "terminal_for_test.hpp"
#include "watch_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

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
    EXPECT_THAT(ran.out, HasSubstr("weft read last"));
    EXPECT_THAT(ran.out, Not(HasSubstr("following")));
  }
}

TEST_F(Up, WithoutATerminalItShowsFollowsAndServes) {
  Session session(session_name(1));
  session.human("where is the loom?"), session.says("behind the door");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  std::vector<std::string> arguments = on_any_port();
  arguments.emplace_back("--json");
  StdioClient up(WEFT_BINARY, arguments, weft.environment);
  std::set<std::string> events;
  std::string url;
  while (events.size() < 3) {
    const json::object line = up.next();
    ASSERT_FALSE(line.empty());
    events.insert(line.contains("thoughts") ? "shown" : text(line, "event"));
    if (line.contains("url")) url = text(line, "url");
  }
  EXPECT_THAT(events, testing::ElementsAre("following", "serving", "shown"));
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
  EXPECT_TRUE(terminal.shows("this is a small sample")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("following")) << terminal.seen;
  terminal.kill(SIGTERM);
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(Up, WithOnceItEndsOnATerminalToo) {
  std::vector<std::string> arguments = on_any_port();
  arguments.emplace_back("--once");
  Terminal terminal(arguments, weft.environment);
  if (!terminal.works()) GTEST_SKIP() << "no terminal can be had here";
  EXPECT_TRUE(terminal.shows("this is a small sample")) << terminal.seen;
  EXPECT_TRUE(terminal.shows("why it answered so")) << terminal.seen;
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(Up, WhereThePortIsTakenItSaysSoAndFollows) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
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
  ::close(listener);
}

}  // namespace
}  // namespace weft::test
