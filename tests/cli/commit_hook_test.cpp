// weft hook install --git: the hook that names tool calls in messages of commits.
#include "agent_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CommitHook : public testing::Test {
 protected:
  void SetUp() override {
    script_.repository.write("loom.py", "import weaving_library\nshuttle = 'by hand'\n");
    script_.repository.write("frame.py", "wood = 'from the old beech'\n");
    script_.commit("a loom");
    hook_ = script_.repository.root() / ".git/hooks/prepare-commit-msg";
    Agent agent = script_.agent(kOne);
    agent.asked("press the treadle");
    pressed_ = agent.edits("loom.py", "shuttle", "treadle = 'pressed with the foot'\nshuttle");
    agent.edits("frame.py", "wood = 'from the old beech'\n",
                "wood = 'from the old beech'\npegs = 'carved from ash'\n");
    agent.save();
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
  }
  Ran install() const {
    return weft_(
        {"hook", "install", "--git", "--yes", "--project", script_.repository.root().string()});
  }
  // Commits as a person would, with the environment of weft's home.
  Ran commit(std::vector<std::string> words) {
    const std::string date = "@" + std::to_string(script_.clock.tick() / 1000) + " +0000";
    std::map<std::string, std::string> environment = weft_.environment;
    for (const char* name : {"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"}) environment[name] = date;
    environment["GIT_EDITOR"] = "true";
    words.insert(words.begin(), {"-C", script_.repository.root().string(), "commit"});
    return run_program("/usr/bin/git", words, environment);
  }
  std::string message() const { return script_.repository.git({"log", "-1", "--format=%B"}); }
  std::string call_of(std::string_view file) const {
    const json::object answer = weft_.json({"log", script_.path(file).string()});
    return text(list(answer, "edits").at(0).get_object(), "request_cid");
  }

  Weft weft_;
  Script script_{weft_};
  fs::path hook_;
  Millis pressed_ = 0;
};

TEST_F(CommitHook, NamesTheCallsWhoseEditsAreStaged) {
  ASSERT_EQ(install().exit, 0) << install();
  script_.repository.git({"add", "loom.py"});
  const Ran ran = commit({"-q", "-m", "press\n\nas asked"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_EQ(message(), "press\n\nas asked\n\nWeft-Thought: " + call_of("loom.py") + "\n\n");
  EXPECT_EQ(commit({"-q", "--amend", "--no-edit", "-s"}).exit, 0);
  EXPECT_EQ(message().find("Weft-Thought"), message().rfind("Weft-Thought")) << "once";
  EXPECT_EQ(commit({"-q", "-a", "-m", "carve"}).exit, 0) << "with another index";
  EXPECT_THAT(message(), HasSubstr("Weft-Thought: " + call_of("frame.py")));
  EXPECT_THAT(message(), Not(HasSubstr(call_of("loom.py"))));
  script_.repository.write("loom.py", content_of(script_.path("loom.py")) + "# by a person\n");
  EXPECT_EQ(commit({"-q", "-a", "-m", "by hand"}).exit, 0);
  EXPECT_EQ(message(), "by hand\n\n");
}

TEST_F(CommitHook, LeavesAnEmptyMessageEmpty) {
  ASSERT_EQ(install().exit, 0);
  EXPECT_NE(commit({"-a"}).exit, 0) << "git aborts, as without the hook";
  EXPECT_EQ(message(), "a loom\n\n");
}

TEST_F(CommitHook, NeverFailsACommit) {
  ASSERT_EQ(install().exit, 0);
  std::ofstream(fs::path(weft_.environment.at("WEFT_HOME")) / "weft.db", std::ios::trunc) << "x";
  EXPECT_EQ(commit({"-q", "-a", "-m", "a broken store"}).exit, 0);
  std::string script = content_of(hook_);
  script.replace(script.find("weft hook"), 4, "gone");
  std::ofstream(hook_, std::ios::trunc) << script;
  const Ran ran = commit({"-q", "--allow-empty", "-m", "no weft"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out + ran.err, "");
}

TEST_F(CommitHook, IsInstalledBesideNobodyElses) {
  const std::string theirs = "#!/bin/sh\nexit 0\n";
  fs::create_directories(hook_.parent_path());
  std::ofstream(hook_) << theirs;
  Ran ran = install();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.err, HasSubstr("is another hook"));
  EXPECT_THAT(ran.err, HasSubstr("--message \"$1\"")) << "what to add by hand";
  const std::string root = script_.repository.root().string();
  EXPECT_EQ(weft_({"hook", "uninstall", "--git", "--yes", "--project", root}).exit, 0);
  EXPECT_EQ(content_of(hook_), theirs);
  fs::remove(hook_);
  ran = install();
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.out, HasSubstr("prepare-commit-msg"));
  EXPECT_NE(fs::status(hook_).permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_THAT(install().out, HasSubstr("needs no change"));
  EXPECT_EQ(weft_({"hook", "uninstall", "--git", "--yes", "--project", root}).exit, 0);
  EXPECT_FALSE(fs::exists(hook_));
  script_.repository.git({"config", "core.hooksPath", ".husky"});
  EXPECT_THAT(install().err, HasSubstr("core.hooksPath"));
  EXPECT_EQ(
      weft_({"hook", "install", "--git", "--yes", "--project", weft_.scratch().string()}).exit, 1);
}

}  // namespace
}  // namespace weft::test
