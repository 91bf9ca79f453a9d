// weft blame where a repository is unusual, or git is missing: a clear answer each, over the
// command line and over MCP.
#include "agent_for_test.hpp"
#include "stdio_client.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;

class BlameEdges : public testing::Test {
 protected:
  void SetUp() override {
    script_.repository.write("loom.py", "import weaving_library\nshuttle = 'thrown by hand'\n");
    script_.commit("a loom");
  }
  // An agent adds a line to this file below `root`.
  Millis edit(const fs::path& root, const std::string& file) {
    Agent agent(weft_, script_.clock, kOne, root);
    agent.asked("press the treadle");
    const Millis time = agent.edits(file, "shuttle", "treadle = 'pressed'\nshuttle");
    agent.save();
    EXPECT_EQ(weft_({"ingest"}).exit, 0);
    return time;
  }
  // The same question over both; the answers must agree.
  json::object ask(const fs::path& file,
                   const std::map<std::string, std::string>& more = {}) const {
    std::map<std::string, std::string> environment = weft_.environment;
    for (const auto& [name, value] : more) environment[name] = value;
    const Ran ran = run_program(WEFT_BINARY, {"blame", file.string(), "--json"}, environment);
    const json::object answer = call(file, environment);
    const bool failed = answer.contains("isError") && answer.at("isError").as_bool();
    EXPECT_EQ(failed, ran.exit != 0) << ran << canonical_json(answer);
    if (failed) return {{"error", canonical_json(answer.at("content")) + ran.err}};
    const json::object& structured = answer.at("structuredContent").as_object();
    EXPECT_EQ(structured.at("runs"), ran.object().at("runs"));
    return structured;
  }
  json::object call(const fs::path& file,
                    const std::map<std::string, std::string>& environment) const {
    StdioClient client(WEFT_BINARY, {"mcp"}, environment);
    client.send({{"jsonrpc", "2.0"},
                 {"id", 1},
                 {"method", "tools/call"},
                 {"params", modern_params({{"name", "wot_blame"},
                                           {"arguments", {{"path", file.string()}}}})}});
    return client.answer_to(1).at("result").as_object();
  }

  Weft weft_;
  Script script_{weft_};
};

TEST_F(BlameEdges, ASubmoduleIsARepositoryOfItsOwn) {
  TestRepository outer(weft_.scratch() / "outer");
  outer.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
             script_.repository.root().string(), "parts/looms"});
  outer.at(script_.clock.tick());
  outer.commit("with looms");
  const fs::path inner = outer.root() / "parts/looms";
  const Millis pressed = edit(inner, "loom.py");
  const json::object answer = ask(inner / "loom.py");
  EXPECT_EQ(text(answer, "repository"), inner.string());
  EXPECT_EQ(line_of(answer, 2).time, pressed);
  EXPECT_THAT(text(ask(inner), "error"), HasSubstr("is a directory"));
}

TEST_F(BlameEdges, AShallowCloneSaysSo) {
  edit(script_.repository.root(), "loom.py");
  script_.commit("press");
  script_.repository.write("loom.py", content_of(script_.path("loom.py")) + "# and more\n");
  script_.commit("more");
  const fs::path shallow = weft_.scratch() / "shallow";
  script_.repository.git({"clone", "-q", "--depth", "1",
                          "file://" + script_.repository.root().string(), shallow.string()});
  const json::object answer = ask(shallow / "loom.py");
  EXPECT_THAT(canonical_json(answer.at("notes")), HasSubstr("the clone is shallow"));
  EXPECT_EQ(line_of(answer, 2).rule, "earlier") << "weakly: its commit may be older than it seems";
}

TEST_F(BlameEdges, WithoutGitEditsAreReplayed) {
  const Millis pressed = edit(script_.repository.root(), "loom.py");
  const json::object answer = ask(script_.path("loom.py"), {{"PATH", "/nowhere"}});
  EXPECT_THAT(canonical_json(answer.at("notes")), HasSubstr("git is not installed"));
  EXPECT_EQ(line_of(answer, 2).time, pressed);
  EXPECT_EQ(line_of(answer, 3).silence, "not_in_git");
}

TEST_F(BlameEdges, AFileOutsideAnyRepositoryIsReplayed) {
  const fs::path folder = weft_.scratch() / "plain";
  fs::create_directories(folder);
  std::ofstream(folder / "loom.py") << "shuttle = 'thrown by hand'\n";
  const Millis pressed = edit(folder, "loom.py");
  const json::object answer = ask(folder / "loom.py");
  EXPECT_THAT(canonical_json(answer.at("notes")), HasSubstr("lies in no git repository"));
  EXPECT_EQ(line_of(answer, 1).time, pressed);
}

TEST_F(BlameEdges, AFileOf500MegabytesIsRefused) {
  edit(script_.repository.root(), "loom.py");
  fs::resize_file(script_.path("loom.py"), 500u << 20);
  EXPECT_THAT(text(ask(script_.path("loom.py")), "error"), HasSubstr("has 500 MB"));
}

TEST_F(BlameEdges, OddNamesNeedNoShell) {
  for (const std::string name :
       {"new\nline \"quoted\".py", "$(touch ran) `touch ran`;.py", "--output=ran", ":(glob)*"}) {
    script_.repository.write(name, "shuttle = 'thrown by hand'\n");
    script_.commit("odd");
    const Millis pressed = edit(script_.repository.root(), name);
    EXPECT_EQ(line_of(ask(script_.path(name)), 1).time, pressed) << name;
  }
  EXPECT_FALSE(fs::exists(script_.path("ran")));
  EXPECT_FALSE(fs::exists("ran"));
}

}  // namespace
}  // namespace weft::test
