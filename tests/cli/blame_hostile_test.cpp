// weft blame of a repository that names a program wherever git would run one, over the command line
// and over MCP.
#include "agent_for_test.hpp"
#include "stdio_client.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class HostileRepository : public testing::Test {
 protected:
  void SetUp() override {
    script_.repository.write("loom.py", "import weaving_library\nshuttle = 'thrown by hand'\n");
    script_.commit("a loom");
    Agent agent = script_.agent(kOne);
    agent.asked("press the treadle");
    agent.edits("loom.py", "shuttle", "treadle = 'pressed'\nshuttle");
    agent.save();
    script_.commit("press");
    script_.repository.write("loom.py", content_of(script_.path("loom.py")) + "# not committed\n");
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
  }

  json::object call(json::object arguments) const {
    StdioClient client(WEFT_BINARY, {"mcp"}, weft_.environment);
    client.send(
        {{"jsonrpc", "2.0"},
         {"id", 1},
         {"method", "tools/call"},
         {"params", modern_params({{"name", "wot_blame"}, {"arguments", std::move(arguments)}})}});
    return client.answer_to(1).at("result").as_object();
  }

  Weft weft_;
  Script script_{weft_};
};

TEST_F(HostileRepository, RunsNothing) {
  const Traps traps(script_.repository, weft_.scratch() / "marks");
  script_.repository.run({"status"});
  ASSERT_FALSE(traps.sprung().empty()) << "the traps work";
  const std::string file = script_.path("loom.py").string();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"blame", file}, std::vector<std::string>{"blame", file + ":2"},
        std::vector<std::string>{"blame", file, "--rev", "HEAD~1"},
        std::vector<std::string>{"blame", file, "--why"}, std::vector<std::string>{"log", file},
        std::vector<std::string>{"why", file + ":2"}}) {
    EXPECT_EQ(weft_(command).exit, 0) << weft_(command);
    EXPECT_THAT(traps.sprung(), IsEmpty()) << command[0];
  }
  const json::object answer = call({{"path", file}});
  EXPECT_FALSE(answer.contains("isError") && answer.at("isError").as_bool())
      << canonical_json(answer);
  EXPECT_EQ(number(answer.at("structuredContent").as_object(), "lines"), 4);
  EXPECT_THAT(traps.sprung(), IsEmpty());
}

TEST_F(HostileRepository, FetchesNothingThatIsMissing) {
  const std::string blob = script_.repository.git({"rev-parse", "HEAD~1:loom.py"}).substr(0, 40);
  const Traps traps(script_.repository, weft_.scratch() / "marks");
  traps.lose(blob);
  (void)traps.sprung();
  const std::string file = script_.path("loom.py").string();
  EXPECT_EQ(weft_({"blame", file}).exit, 3);
  EXPECT_EQ(weft_({"blame", file, "--rev", "HEAD~1"}).exit, 3);
  EXPECT_TRUE(call({{"path", file}}).at("isError").as_bool());
  EXPECT_THAT(traps.sprung(), IsEmpty());
}

TEST_F(HostileRepository, OfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(::chown(script_.repository.root().c_str(), 4711, 4711), 0);
  const std::string file = script_.path("loom.py").string();
  const Ran ran = weft_({"blame", file});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, HasSubstr("belongs to another user"));
  EXPECT_THAT(canonical_json(call({{"path", file}})), HasSubstr("belongs to another user"));
}

TEST_F(HostileRepository, AnAgentIsToldOfItsOwnFilesOnly) {
  const json::object one = call({{"path", script_.path("loom.py").string()}, {"line", 2}});
  const json::object run = list(one.at("structuredContent").as_object(), "runs").at(0).get_object();
  EXPECT_EQ(text(run, "reason"), "press the treadle");
  EXPECT_THAT(canonical_json(one.at("content")), HasSubstr("press the treadle"));
  EXPECT_THAT(canonical_json(call({{"path", "loom.py"}})), HasSubstr("must be absolute"));
  EXPECT_TRUE(call({{"path", "/nowhere/at/all.py"}}).at("isError").as_bool());
  const std::string foreign = weft_.write("foreign.txt", "x\n");
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown(foreign.c_str(), 4711, 4711), 0);
  EXPECT_THAT(canonical_json(call({{"path", foreign}})), HasSubstr("not a file of this user"));
}

}  // namespace
}  // namespace weft::test
