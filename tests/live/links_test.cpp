// Links from the terminal to the page: where a server runs, the CIDs that a person sees lead to it.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <regex>
#include <set>

#include "program.hpp"
#include "stdio_client.hpp"
#include "terminal_for_test.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::regex kLink("\x1b\\]8;;(http[^\x1b]*)\x1b\\\\([^\x1b]*)\x1b\\]8;;\x1b\\\\");

class Links : public testing::Test {
 protected:
  Links() {
    weft.environment["TZ"] = "UTC";
    weft.environment["TERM"] = "xterm-256color";
    weft.environment["PAGER"] = "cat";
    const std::string talk(cli::sample_transcript());
    EXPECT_EQ(weft({"ingest", weft.write("talk.txt", talk)}).exit, 0);
    answer = text(
        list(weft.json({"search", "cancelled", "--type", "response"}), "results").at(0).as_object(),
        "cid");
  }
  void serve() {
    server.emplace(WEFT_BINARY,
                   std::vector<std::string>{"serve", "--listen", "127.0.0.1:0", "--json"},
                   weft.environment);
    page = text(server->next(), "page");
  }
  std::string shown(const std::vector<std::string>& words) {
    Terminal terminal(words, weft.environment, {.columns = 100, .rows = 40});
    EXPECT_TRUE(terminal.works());
    terminal.read_all();
    EXPECT_EQ(terminal.wait(), 0);
    return terminal.seen;
  }
  std::string shown_with(const std::string& variable, const std::string& value,
                         const std::vector<std::string>& words) {
    const auto before = weft.environment;
    weft.environment[variable] = value;
    std::string seen = shown(words);
    weft.environment = before;
    return seen;
  }

  Weft weft;
  std::string answer;
  std::optional<StdioClient> server;
  std::string page;
};

TEST_F(Links, LeadToThePageAndChangeNothingElse) {
  serve();
  std::set<std::string> names;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list"},
                                             {"search", "ferry"},
                                             {"search", "ferry", "--flat"},
                                             {"search", "ferry", "--turns"},
                                             {"read"},
                                             {"read", answer, "--thinking"},
                                             {"walk", "last"},
                                             {"why", answer},
                                             {"get", answer},
                                             {"connections", answer}}) {
    const std::string seen = shown(words);
    const std::string plain = shown_with("WEFT_NO_LINKS", "1", words);
    EXPECT_THAT(plain, Not(HasSubstr("\x1b]8"))) << words.front();
    EXPECT_EQ(std::regex_replace(seen, kLink, "$2"), plain) << words.front();
    std::size_t links = 0;
    for (std::sregex_iterator at(seen.begin(), seen.end(), kLink), end; at != end; ++at, ++links) {
      const std::string to = at->str(1), name = at->str(2);
      EXPECT_TRUE(to == page + "t/" + name || to == page + "c/" + name) << to << " of " << name;
      names.insert(name);
    }
    EXPECT_GT(links, 0u) << words.front();
  }
  for (const std::string& name : names) EXPECT_EQ(weft({"get", name}).exit, 0) << name;
}

TEST_F(Links, AreWrittenOnlyWhereTheyAreOfUse) {
  EXPECT_THAT(shown({"list"}), Not(HasSubstr("\x1b]8"))) << "without a server";
  serve();
  ASSERT_THAT(shown({"list"}), HasSubstr("\x1b]8;;" + page + "c/"));
  EXPECT_THAT(weft({"list", "--color", "always"}).out, Not(HasSubstr("\x1b]8"))) << "in a pipe";
  EXPECT_THAT(shown({"list", "--json"}), Not(HasSubstr("\x1b]8")));
  EXPECT_THAT(shown_with("TERM", "dumb", {"list"}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(shown_with("TERM", "linux", {"list"}), Not(HasSubstr("\x1b]8")));
  EXPECT_THAT(shown_with("SSH_CONNECTION", "a 1 b 2", {"list"}), Not(HasSubstr("\x1b]8")));
  EXPECT_THAT(shown_with("NO_COLOR", "1", {"list"}), HasSubstr("\x1b]8")) << "a link is no colour";
  // A pager that is not less would print them.
  const std::string pager = weft.write("plain-pager", "#!/bin/sh\nexec cat\n");
  ASSERT_EQ(::chmod(pager.c_str(), 0700), 0);
  EXPECT_THAT(shown_with("WEFT_PAGER", pager, {"read"}), Not(HasSubstr("\x1b]8")));
}

TEST_F(Links, AServerThatIsStoppedDelaysNothing) {
  serve();
  ASSERT_EQ(::kill(server->pid(), SIGSTOP), 0);
  EXPECT_THAT(shown({"list"}), HasSubstr("\x1b]8"));
  // It waits ten seconds for an answer.
  if (test_is_long()) EXPECT_EQ(weft({"open", "--print"}).exit, 3);
  ::kill(server->pid(), SIGCONT);
}

TEST_F(Links, OfAServerThatWasKilledAreNotWritten) {
  serve();
  ASSERT_EQ(::kill(server->pid(), SIGKILL), 0);
  ASSERT_TRUE(std::filesystem::exists(weft.home() / "serve.url"));
  server->wait();
  EXPECT_THAT(shown({"list"}), Not(HasSubstr("\x1b]8")));
}

}  // namespace
}  // namespace weft::test
