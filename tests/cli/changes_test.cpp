// weft effects --changes and export --as agent-trace: from a prompt on to edits, commits and lines.
#include <set>

#include "agent_for_test.hpp"
#include "stdio_client.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// Two prompts of one session: the first changes two files in two commits, the second one of them.
class Changes : public testing::Test {
 protected:
  void SetUp() override {
    script_.repository.write("src/loom.py", "import weaving_library\nshuttle = 'by hand'\n");
    script_.repository.write("frame.py", "wood = 'from the old beech'\n");
    script_.commit("a loom");
    Agent agent = script_.agent(kOne);
    agent.asked("press the treadle");
    agent.edits("src/loom.py", "shuttle",
                "treadle = 'pressed with the left foot'\nheddle = 'lifted by it'\nshuttle");
    press_ = script_.commit("press");
    agent.edits("frame.py", "wood = 'from the old beech'\n",
                "wood = 'from the old beech'\npegs = 'carved from ash'\n", Agent::Details::untold);
    script_.commit("carve");
    agent.fails_to_edit("frame.py", "no such text", "never = 'written at all'\n");
    agent.asked("lift it by hand instead");
    agent.edits("src/loom.py", "heddle = 'lifted by it'\n", "heddle = 'lifted by a hand'\n");
    lift_ = script_.commit("lift");
    agent.save();
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
  }
  std::string prompt(const std::string& words) const {
    const json::object found = weft_.json({"search", words, "--type", "human_input"});
    return text(list(found, "results").at(0).get_object(), "cid");
  }
  json::object changes(const std::string& words, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"effects", prompt(words), "--changes"});
    return weft_.json(more).at("changes").as_object();
  }
  static std::vector<std::string> column(const json::object& changes, std::string_view rows,
                                         std::string_view name) {
    std::vector<std::string> found;
    for (const json::value& row : list(changes, rows)) {
      found.push_back(text(row.get_object(), name));
    }
    return found;
  }
  json::object call(const std::string& cid) const {
    StdioClient client(WEFT_BINARY, {"mcp"}, weft_.environment);
    client.send({{"jsonrpc", "2.0"},
                 {"id", 1},
                 {"method", "tools/call"},
                 {"params", modern_params({{"name", "wot_effects"},
                                           {"arguments", {{"cid", cid}, {"changes", true}}}})}});
    return client.answer_to(1).at("result").as_object();
  }

  Weft weft_;
  Script script_{weft_};
  std::string press_, lift_;
};

TEST_F(Changes, LeadFromAPromptToItsCommitsAndWhatIsLeftOfIt) {
  const json::object first = changes("press");
  EXPECT_THAT(column(first, "edits", "file"), testing::ElementsAre("src/loom.py", "frame.py"));
  EXPECT_THAT(column(first, "commits", "subject"), testing::ElementsAre("press", "carve"));
  const json::object commit = list(first, "commits").at(0).get_object();
  EXPECT_EQ(text(commit, "sha"), press_);
  EXPECT_EQ(text(commit, "patch_id").size(), 40u);
  EXPECT_EQ(text(commit, "author"), "Ada");
  EXPECT_THAT(column(first, "lines", "path"), testing::ElementsAre("frame.py", "src/loom.py"));
  EXPECT_EQ(number(first, "alive"), 2) << "the second prompt replaced one line";
  const json::object line = list(first, "lines").at(1).get_object();
  EXPECT_EQ(number(line, "first"), 2);
  EXPECT_EQ(number(line, "last"), 2);
  EXPECT_EQ(text(line, "commit"), press_);
  EXPECT_EQ(text(line, "rule"), "replayed");
  const json::object second = changes("lift");
  EXPECT_THAT(column(second, "commits", "sha"), testing::ElementsAre(lift_));
  EXPECT_EQ(number(second, "alive"), 1);
  EXPECT_FALSE(weft_.json({"effects", prompt("lift")}).contains("changes")) << "only when asked";
}

TEST_F(Changes, ArePrintedForPeople) {
  const Ran ran = weft_({"effects", prompt("press"), "--changes"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("edits\n"),
                             HasSubstr("change  src/loom.py  in " + press_.substr(0, 7)),
                             HasSubstr("Ada  carve\n"), HasSubstr("lines that stand today: 2\n"),
                             HasSubstr("replayed (certain)")));
}

TEST_F(Changes, SurviveRenamesAndRebases) {
  const std::string before = text(list(changes("press"), "commits").at(0).get_object(), "patch_id");
  script_.repository.git({"checkout", "-q", "-b", "side", "HEAD~3"});
  script_.repository.write("note.txt", "another file\n");
  script_.commit("a note");
  script_.repository.git({"checkout", "-q", "main"});
  script_.repository.at(script_.clock.tick());
  script_.repository.git({"rebase", "-q", "side"});
  script_.repository.git({"mv", "src/loom.py", "machine.py"});
  script_.commit("rename");
  const json::object after = changes("press");
  EXPECT_EQ(text(list(after, "edits").at(0).get_object(), "file"), "machine.py");
  EXPECT_THAT(column(after, "commits", "subject"), testing::ElementsAre("press", "carve"));
  const json::object commit = list(after, "commits").at(0).get_object();
  EXPECT_NE(text(commit, "sha"), press_);
  EXPECT_EQ(text(commit, "patch_id"), before);
  EXPECT_EQ(number(after, "alive"), 2);
}

TEST_F(Changes, KnowCommitsWhoseLinesAreGone) {
  script_.repository.write("src/loom.py", "import weaving_library\n");
  script_.repository.git({"rm", "-q", "frame.py"});
  script_.commit("start again");
  const json::object first = changes("press");
  EXPECT_EQ(number(first, "alive"), 0);
  EXPECT_THAT(column(first, "commits", "subject"), testing::ElementsAre("press", "carve"));
  EXPECT_FALSE(list(first, "edits").at(1).get_object().contains("file")) << "removed";
}

TEST_F(Changes, AreFoundInAnotherCloneWhenItIsNamed) {
  const fs::path clone = weft_.scratch() / "clone";
  script_.repository.git({"clone", "-q", ".", clone.string()});
  const json::object there = changes("press", {"--repo", clone.string()});
  EXPECT_THAT(column(there, "commits", "repository"), testing::Each(clone.string()));
  EXPECT_EQ(number(there, "alive"), 2);
  EXPECT_EQ(weft_({"effects", prompt("press"), "--repo", weft_.scratch().string()}).exit, 3);
}

TEST_F(Changes, RunNothingThatTheRepositoryNames) {
  const std::string cid = prompt("press");
  const Traps traps(script_.repository, weft_.scratch() / "marks");
  script_.repository.run({"status"});
  ASSERT_FALSE(traps.sprung().empty()) << "the traps work";
  EXPECT_EQ(number(changes("press"), "alive"), 2);
  EXPECT_EQ(weft_({"export", kOne, "--as", "agent-trace"}).exit, 0);
  EXPECT_THAT(traps.sprung(), IsEmpty());
  const json::object answer = call(cid);
  const json::object& structured = answer.at("structuredContent").as_object();
  EXPECT_EQ(number(structured.at("changes").as_object(), "alive"), 2) << canonical_json(answer);
  EXPECT_THAT(canonical_json(answer.at("content")), HasSubstr("Lines that stand today: 2"));
  EXPECT_THAT(traps.sprung(), IsEmpty());
}

TEST_F(Changes, AskNothingOfARepositoryOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(::chown(script_.repository.root().c_str(), 4711, 4711), 0);
  const json::object first = changes("press");
  EXPECT_EQ(list(first, "edits").size(), 2u) << "they are in the transcript";
  EXPECT_TRUE(list(first, "commits").empty());
  EXPECT_EQ(number(first, "alive"), 0);
  EXPECT_THAT(canonical_json(first.at("notes")), HasSubstr("belongs to another user"));
  EXPECT_EQ(weft_({"effects", prompt("press"), "--repo", script_.repository.root().string()}).exit,
            3);
}

TEST(ChangesSealed, SayThatCallsAreSealed) {
  Weft weft;
  ASSERT_EQ(weft({"init", "--seal", "all"}).exit, 0);
  Script script(weft);
  script.repository.write("loom.py", "shuttle = 'by hand'\n");
  script.commit("a loom");
  Agent agent = script.agent(kOne);
  agent.asked("press the treadle");
  agent.edits("loom.py", "shuttle", "treadle = 'pressed'\nshuttle");
  agent.save();
  ASSERT_EQ(weft({"ingest"}).exit, 0);
  const json::object found = weft.json({"search", "press", "--type", "human_input"});
  const std::string cid = text(list(found, "results").at(0).get_object(), "cid");
  const auto changes = [&] {
    return weft.json({"effects", cid, "--changes"}).at("changes").as_object();
  };
  EXPECT_EQ(number(changes(), "alive"), 1);
  fs::rename(weft.home() / "keyring.json", weft.home() / "keyring.away");
  EXPECT_TRUE(list(changes(), "edits").empty());
  EXPECT_THAT(canonical_json(changes().at("notes")), HasSubstr("1 calls are sealed"));
}

TEST_F(Changes, AreExportedAsAgentTrace) {
  script_.repository.write(
      "src/loom.py", content_of(script_.path("src/loom.py")) + "bobbin = 'wound by a person'\n");
  const Ran ran = weft_({"export", kOne, "--as", "agent-trace"});
  ASSERT_EQ(ran.exit, 0) << ran;
  std::vector<json::object> records;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    records.push_back(parse_json(line)->value.as_object());
  }
  ASSERT_EQ(records.size(), 3u) << ran.out;
  const json::object& record = records[0];
  EXPECT_EQ(text(record, "version"), "0.1");
  EXPECT_EQ(text(record.at("vcs").as_object(), "type"), "git");
  EXPECT_EQ(text(record.at("vcs").as_object(), "revision"), press_);
  EXPECT_EQ(text(record.at("tool").as_object(), "name"), "weft");
  EXPECT_THAT(text(record, "id"), testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-"
                                                        "[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  EXPECT_THAT(text(record, "timestamp"), testing::EndsWith("Z"));
  const json::object file = list(record, "files").at(0).get_object();
  EXPECT_EQ(text(file, "path"), "src/loom.py");
  const json::object talk = list(file, "conversations").at(0).get_object();
  EXPECT_THAT(text(talk, "url"), testing::StartsWith("weft:cid:blake3:"));
  EXPECT_EQ(text(talk.at("contributor").as_object(), "type"), "ai");
  EXPECT_EQ(text(talk.at("contributor").as_object(), "model_id"), "anthropic/claude-x");
  const json::object range = list(talk, "ranges").at(0).get_object();
  EXPECT_EQ(number(range, "start_line"), 2) << "at that commit";
  EXPECT_EQ(number(range, "end_line"), 3);
  EXPECT_THAT(text(range, "content_hash"), testing::MatchesRegex("blake3:[0-9a-f]{64}"));
  // Whoever follows the url finds the call.
  EXPECT_EQ(weft_({"why", text(talk, "url")}).exit, 0);
  EXPECT_EQ(weft_({"export", kOne, "--as", "agent-trace"}).out, ran.out) << "the same each time";
  EXPECT_EQ(weft_({"export", kOne, "--as", "agent-trace", "--upto", "x"}).exit, 2);
}

}  // namespace
}  // namespace weft::test
