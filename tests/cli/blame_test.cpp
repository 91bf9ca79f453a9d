// weft blame, log and why FILE:LINE: from a line of code to the words that asked for it.
#include "agent_for_test.hpp"
#include "terminal_for_test.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Blame : public testing::Test {
 protected:
  void ingest() const { ASSERT_EQ(weft_({"ingest"}).exit, 0); }

  Weft weft_;
  Script script_{weft_};
};

// A person makes a file; an agent is asked for two functions, in two commits.
class BlameOfTwoCommits : public Blame {
 protected:
  void SetUp() override {
    script_.repository.write("src/loom.py", "import weaving_library\n\nshuttle = None\n");
    first_ = script_.commit("a loom");
    Agent agent = script_.agent(kOne);
    agent.asked("weave the warp backwards");
    agent.thinks("A slice with a negative step will do.");
    edit_ = agent.edits("src/loom.py", "shuttle = None\n",
                        "def weave(warp):\n    return warp[::-1]\n\nshuttle = None\n");
    second_ = script_.commit("weave backwards");
    agent.asked("and count the threads");
    other_ = agent.edits("src/loom.py", "shuttle = None\n",
                         "shuttle = None\nthreads = len(weaving_library.warp)\n",
                         Agent::Details::untold);
    script_.commit("count");
    agent.save();
    ingest();
  }

  std::string first_, second_;
  Millis edit_ = 0, other_ = 0;
};

TEST_F(BlameOfTwoCommits, LeadsFromEachLineToTheEditAndThePersonsWords) {
  const json::object answer = script_.blame("src/loom.py");
  EXPECT_EQ(text(answer, "path"), "src/loom.py");
  EXPECT_EQ(text(answer, "repository"), script_.repository.root().string());
  EXPECT_TRUE(answer.at("rev").is_null());
  EXPECT_EQ(number(answer, "lines"), 7);
  ASSERT_EQ(list(answer, "runs").size(), 4u) << canonical_json(answer);
  const json::object made = list(answer, "runs").at(1).get_object();
  EXPECT_EQ(number(made, "first"), 3);
  EXPECT_EQ(number(made, "last"), 5);
  EXPECT_EQ(text(made, "rule"), "replayed");
  EXPECT_EQ(text(made, "sure"), "certain");
  EXPECT_EQ(text(made, "reason"), "weave the warp backwards");
  EXPECT_EQ(text(made, "model"), "claude-x");
  EXPECT_EQ(text(made, "session_id"), kOne);
  EXPECT_EQ(number(made, "time"), edit_);
  EXPECT_EQ(text(made.at("commit").as_object(), "sha"), second_);
  EXPECT_EQ(text(made.at("commit").as_object(), "subject"), "weave backwards");
  EXPECT_EQ(text(made.at("commit").as_object(), "author"), "Ada");
  EXPECT_TRUE(made.contains("thinking_cid"));
  const json::object counted = list(answer, "runs").at(3).get_object();
  EXPECT_EQ(text(counted, "rule"), "written");
  EXPECT_EQ(text(counted, "sure"), "likely");
  EXPECT_EQ(text(counted, "reason"), "and count the threads");
  EXPECT_EQ(number(counted, "time"), other_);
  const json::object before = list(answer, "runs").at(0).get_object();
  EXPECT_EQ(text(before, "silence"), "older_than_sessions");
  EXPECT_EQ(text(before.at("commit").as_object(), "sha"), first_);
  EXPECT_EQ(number(answer, "answered"), 4);
  EXPECT_EQ(number(answer.at("silent").as_object(), "older_than_sessions"), 3);
}

TEST_F(BlameOfTwoCommits, AnswersForSingleLinesAndForOlderCommits) {
  const std::string file = script_.path("src/loom.py").string();
  const json::object one = weft_.json({"blame", file + ":4"});
  ASSERT_EQ(list(one, "runs").size(), 1u);
  EXPECT_EQ(line_of(one, 4).time, edit_);
  const json::object some = weft_.json({"blame", file + ":3-6"});
  EXPECT_EQ(number(list(some, "runs").at(0).get_object(), "first"), 3);
  EXPECT_EQ(number(list(some, "runs").at(1).get_object(), "last"), 6);
  const json::object old = weft_.json({"blame", file, "--rev", "HEAD~1"});
  EXPECT_EQ(text(old, "rev"), second_);
  EXPECT_EQ(number(old, "lines"), 6);
  EXPECT_EQ(line_of(old, 3).time, edit_);
  EXPECT_EQ(weft_({"blame", file, "--rev", "nowhere"}).exit, 1);
  EXPECT_THAT(weft_({"blame", file + ":99"}).err, HasSubstr("has 7 lines"));
  EXPECT_EQ(weft_({"blame", file + ":0"}).exit, 2);
}

TEST_F(BlameOfTwoCommits, IsPrintedForPeople) {
  const Ran ran = weft_({"blame", script_.path("src/loom.py").string()});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("replayed (certain)"), HasSubstr("“weave the warp backwards”"),
                    HasSubstr("▌ 3  def weave(warp):\n▌ 4      return warp[::-1]\n"),
                    HasSubstr("  1  import weaving_library\n"),
                    HasSubstr("no answer: the commit is older than every conversation")));
  EXPECT_THAT(ran.err, HasSubstr("4 of 7 lines answered"));
}

TEST_F(BlameOfTwoCommits, FitsEveryTerminal) {
  for (const unsigned columns : {60u, 80u, 100u, 160u}) {
    std::map<std::string, std::string> environment = weft_.environment;
    environment["NO_COLOR"] = "1";
    Terminal terminal({"blame", script_.path("src/loom.py").string()}, environment,
                      {.columns = columns, .rows = 50});
    ASSERT_TRUE(terminal.works());
    terminal.read_all();
    EXPECT_EQ(terminal.wait(), 0);
    std::istringstream lines(terminal.seen);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (line.starts_with("weft: ")) continue;  // notes wrap as the terminal does it
      std::size_t width = 0;
      for (const char c : line) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      EXPECT_LE(width, columns) << line;
    }
  }
}

TEST_F(BlameOfTwoCommits, OpensTheTreeOfALine) {
  const std::string line = script_.path("src/loom.py").string() + ":4";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"why", line}, std::vector<std::string>{"blame", line, "--why"}}) {
    const Ran ran = weft_(command);
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("tool_request"), HasSubstr("A slice with a negative step"),
                               HasSubstr("human_input"), HasSubstr("weave the warp backwards")));
  }
  const json::object tree = weft_.json({"why", line});
  const json::object run = list(tree, "runs").at(0).get_object();
  EXPECT_GE(list(run.at("why").as_object(), "thoughts").size(), 3u);
  EXPECT_EQ(weft_({"why", script_.path("src/loom.py").string() + ":1"}).exit, 1) << "no answer";
  EXPECT_THAT(weft_({"why", "00000000"}).err, HasSubstr("no thought begins with"));
}

TEST_F(BlameOfTwoCommits, ListsTheEditsOfAFile) {
  const json::object answer = weft_.json({"log", script_.path("src/loom.py").string()});
  EXPECT_EQ(number(answer, "total"), 2);
  const json::object newest = list(answer, "edits").at(0).get_object();
  EXPECT_EQ(text(newest, "reason"), "and count the threads");
  EXPECT_EQ(text(newest, "kind"), "change");
  EXPECT_EQ(number(newest, "added"), 1);
  EXPECT_EQ(number(newest, "time"), other_);
  EXPECT_EQ(list(weft_.json({"log", script_.path("src/loom.py").string(), "--limit", "1"}), "edits")
                .size(),
            1u);
  EXPECT_THAT(weft_({"log", script_.path("src/loom.py").string()}).out,
              AllOf(HasSubstr("“weave the warp backwards”"), HasSubstr("change +3 -0")));
  EXPECT_EQ(weft_({"log", script_.path("other.py").string()}).out,
            "no conversation edited this file\n");
}

TEST_F(BlameOfTwoCommits, KnowsWhatIsNotCommitted) {
  Agent agent = script_.agent(kTwo);
  agent.asked("oil the treadle");
  const Millis oiled = agent.edits("src/loom.py", "shuttle = None\n",
                                   "shuttle = None\ntreadle = 'oiled and running'\n");
  agent.save();
  ingest();
  script_.repository.write(
      "src/loom.py", content_of(script_.path("src/loom.py")) + "bobbin = 'wound by a person'\n");
  const json::object answer = script_.blame("src/loom.py");
  EXPECT_EQ(line_of(answer, 7).time, oiled);
  EXPECT_EQ(line_of(answer, 4).time, edit_) << "committed lines keep their answers";
  EXPECT_EQ(line_of(answer, 9).silence, "not_this_line");
  for (const json::value& run : list(answer, "runs")) {
    if (number(run.get_object(), "first") >= 9) EXPECT_FALSE(run.get_object().contains("commit"));
  }
}

TEST_F(BlameOfTwoCommits, FollowsARenameAndWorkingTrees) {
  script_.repository.git({"mv", "src/loom.py", "src/frame.py"});
  script_.commit("rename");
  const fs::path tree = weft_.scratch() / "tree";
  script_.repository.git({"worktree", "add", "-q", "-b", "side", tree.string()});
  Agent agent(weft_, script_.clock, kTwo, tree);
  agent.asked("oil the treadle in the other tree");
  const Millis oiled = agent.edits("src/frame.py", "shuttle = None\n",
                                   "shuttle = None\ntreadle = 'oiled and running'\n");
  agent.save();
  ingest();
  script_.repository.git({"-C", tree.string(), "commit", "-q", "-am", "oil"});
  script_.repository.at(script_.clock.tick());
  script_.repository.git(
      {"-C", tree.string(), "commit", "-q", "--amend", "--no-edit", "--reset-author"});
  script_.repository.git({"merge", "-q", "--ff-only", "side"});
  const json::object answer = script_.blame("src/frame.py");
  EXPECT_EQ(line_of(answer, 4).time, edit_) << canonical_json(answer);
  EXPECT_EQ(line_of(answer, 7).time, oiled);
  script_.repository.git({"worktree", "remove", "--force", tree.string()});
  EXPECT_EQ(line_of(script_.blame("src/frame.py"), 7).time, oiled)
      << "the working tree is gone: a file in a folder is known by its path";
}

TEST_F(Blame, NeedsNoGitForFilesThatAreReplayed) {
  const fs::path folder = weft_.scratch() / "plain";
  Agent agent(weft_, script_.clock, kOne, folder);
  agent.asked("write me a note");
  const Millis written = agent.writes("note.txt", "the first line of the note\nthe second one\n");
  agent.save();
  ingest();
  std::ofstream(folder / "note.txt", std::ios::app) << "a line by a person\n";
  const json::object answer = weft_.json({"blame", (folder / "note.txt").string()});
  EXPECT_FALSE(answer.contains("repository"));
  EXPECT_EQ(line_of(answer, 1).time, written);
  EXPECT_EQ(line_of(answer, 2).rule, "replayed");
  EXPECT_EQ(line_of(answer, 3).silence, "not_in_git");
  EXPECT_THAT(canonical_json(answer.at("notes")), HasSubstr("lies in no git repository"));
  EXPECT_EQ(weft_({"blame", (folder / "note.txt").string(), "--rev", "HEAD"}).exit, 3);
}

TEST_F(BlameOfTwoCommits, SaysThatGitIsMissing) {
  std::map<std::string, std::string> environment = weft_.environment;
  environment["PATH"] = "/nowhere";
  const Ran ran = run_program(
      WEFT_BINARY, {"blame", script_.path("src/loom.py").string(), "--json"}, environment);
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(canonical_json(ran.object().at("notes")), HasSubstr("git is not installed"));
}

TEST_F(Blame, GivesAClearAnswerToWhatIsNoFile) {
  script_.repository.write("src/loom.py", "a\n");
  script_.commit("one");
  Agent agent = script_.agent(kOne);
  agent.asked("hello");
  agent.save();
  ingest();
  EXPECT_THAT(weft_({"blame", script_.path("src").string()}).err, HasSubstr("is a directory"));
  EXPECT_EQ(weft_({"blame", script_.path("src/gone.py").string()}).exit, 1);
  script_.repository.write("binary", std::string("a\0b", 3));
  EXPECT_THAT(weft_({"blame", script_.path("binary").string()}).err, HasSubstr("not a text file"));
  fs::resize_file(script_.path("src/loom.py"), 500u << 20);
  EXPECT_THAT(weft_({"blame", script_.path("src/loom.py").string()}).err,
              HasSubstr("has 500 MB; weft blames files of up to 32 MB"));
  EXPECT_EQ(line_of(script_.blame("src/loom.py", {"--rev", "HEAD"}), 1).silence,
            "older_than_sessions");
  script_.repository.write("src/loom.py", "a\n");
  const std::string odd = "new\nline \"quoted\" \xff.py";
  script_.repository.write(odd, "an odd name needs no shell\n");
  script_.commit("odd");
  const json::object answer = script_.blame(odd);
  EXPECT_EQ(line_of(answer, 1).silence, "no_edit_of_path");
}

}  // namespace
}  // namespace weft::test
