// weft blame where an edit looks like the origin of a line and is not: no such line is answered by
// it.
#include "agent_for_test.hpp"

namespace weft::test {
namespace {

const std::string kThree = "33333333-3333-4333-8333-333333333333";
constexpr std::string_view kLine = "treadle = 'pressed with the left foot'\n";

class BlamePrecision : public testing::Test {
 protected:
  void SetUp() override {
    script_.repository.write("loom.py", "import weaving_library\nshuttle = 'thrown by hand'\n");
    script_.repository.write("attic/loom.py", "import weaving_library\n# empty so far\n");
    script_.commit("two looms");
  }
  void ingest() const { ASSERT_EQ(weft_({"ingest"}).exit, 0); }
  void person_adds(std::string_view file, std::string_view line) const {
    script_.repository.write(file, content_of(script_.path(file)) + std::string(line));
  }
  // No answer, not even a weak one.
  void expect_silent(std::string_view file, std::size_t line) const {
    const json::object answer = script_.blame(file);
    EXPECT_EQ(line_of(answer, line).time, 0) << canonical_json(answer);
  }

  Weft weft_;
  Script script_{weft_};
};

TEST_F(BlamePrecision, APersonsFileThatEqualsAnAgentsTextElsewhere) {
  Agent agent = script_.agent(kOne);
  agent.asked("press the treadle");
  agent.edits("loom.py", "shuttle", std::string(kLine) + "shuttle");
  agent.save();
  person_adds("attic/loom.py", kLine);
  script_.commit("both");
  // A file of the same name in another repository of this machine, and in a plain folder.
  for (const std::string name : {"other", "plain"}) {
    const fs::path root = weft_.scratch() / name;
    if (name == "other") TestRepository made(root);
    fs::create_directories(root);
    std::ofstream(root / "loom.py") << "first = 'line of the file'\n";
    Agent elsewhere(weft_, script_.clock, name == "other" ? kTwo : kThree, root);
    elsewhere.asked("write it there");
    elsewhere.edits("loom.py", "first", "bobbin = 'wound in another place " + name + "'\nfirst");
    elsewhere.save();
    person_adds("loom.py", "bobbin = 'wound in another place " + name + "'\n");
  }
  script_.commit("by hand");
  ingest();
  EXPECT_NE(line_of(script_.blame("loom.py"), 2).time, 0);
  expect_silent("attic/loom.py", 3);
  expect_silent("loom.py", 4);
  expect_silent("loom.py", 5);
}

TEST_F(BlamePrecision, AnEditThatFailed) {
  Agent agent = script_.agent(kOne);
  agent.asked("press the treadle");
  agent.fails_to_edit("loom.py", "no such text", kLine);
  agent.save();
  person_adds("loom.py", kLine);
  script_.commit("by hand");
  ingest();
  expect_silent("loom.py", 3);
}

TEST_F(BlamePrecision, AnEditThatWasUndone) {
  for (const auto told : {Agent::Details::told, Agent::Details::untold}) {
    Agent agent = script_.agent(told == Agent::Details::told ? kOne : kTwo);
    agent.asked("press the treadle, and then do not");
    agent.edits("loom.py", "shuttle", std::string(kLine) + "shuttle", told);
    agent.edits("loom.py", std::string(kLine), "", told);
    agent.save();
  }
  person_adds("loom.py", kLine);
  script_.commit("by hand");
  ingest();
  expect_silent("loom.py", 3);
}

// The agent's last edit wrote the person's line again: nothing of it was ever committed.
TEST_F(BlamePrecision, AnUndoneEditOfAPersonsLineInACommitThatWasRebased) {
  person_adds("loom.py", kLine);
  script_.commit("by hand");
  const std::string line(kLine), other = "treadle = 'pressed with the right foot'\n";
  for (const auto told : {Agent::Details::untold, Agent::Details::told}) {
    Agent agent = script_.agent(told == Agent::Details::told ? kOne : kTwo);
    agent.asked("use the right foot; no, rather not");
    agent.edits("loom.py", line, other, told);
    agent.edits("loom.py", other, line, told);
    agent.save();
    script_.repository.at(script_.clock.tick());
    script_.repository.git({"commit", "-q", "--amend", "-m", "by hand, reworded"});
    ingest();
    expect_silent("loom.py", 3);
  }
}

// The person's line was not committed yet when the agent changed it, and changed it back.
TEST_F(BlamePrecision, AnUndoneEditOfALineThatWasNotCommitted) {
  for (const auto told : {Agent::Details::untold, Agent::Details::told}) {
    const bool is_told = told == Agent::Details::told;
    const std::string line = "pedal_" + std::to_string(is_told) + " = 'pressed by a person'\n";
    person_adds("loom.py", line);
    Agent agent = script_.agent(is_told ? kOne : kTwo);
    agent.asked("use the right foot; no, rather not");
    agent.edits("loom.py", line, "pedal = 'pressed by an agent'\n", told);
    agent.edits("loom.py", "pedal = 'pressed by an agent'\n", line, told);
    agent.save();
    ingest();
    expect_silent("loom.py", is_told ? 4 : 3);
    script_.commit("by hand");
    expect_silent("loom.py", is_told ? 4 : 3);
  }
}

TEST_F(BlamePrecision, ACommitThatWasAmendedHoldsWhatWasWrittenAfterItsAuthorTime) {
  person_adds("loom.py", "heddle = 'threaded by a person'\n");
  script_.commit("by hand");
  Agent agent = script_.agent(kOne);
  agent.asked("press the treadle");
  const Millis pressed = agent.edits("loom.py", "shuttle", std::string(kLine) + "shuttle");
  agent.save();
  script_.repository.at(script_.clock.tick());
  script_.repository.git({"commit", "-q", "-a", "--amend", "--no-edit"});
  ingest();
  const LineOf line = line_of(script_.blame("loom.py"), 2);
  EXPECT_EQ(line.time, pressed);
  EXPECT_EQ(line.rule, "written");
  expect_silent("loom.py", 4);
}

TEST_F(BlamePrecision, AForkThatRepeatsAnEdit) {
  Agent agent = script_.agent(kOne);
  agent.asked("press the treadle");
  const Millis pressed = agent.edits("loom.py", "shuttle", std::string(kLine) + "shuttle");
  script_.commit("press");
  agent.save();
  ingest();
  Agent fork = agent.fork(kTwo);
  fork.asked("something else");
  fork.save();
  ingest();
  const LineOf line = line_of(script_.blame("loom.py"), 2);
  EXPECT_EQ(line.time, pressed);
  EXPECT_EQ(line.session, kOne);
  EXPECT_EQ(number(weft_.json({"log", script_.path("loom.py").string()}), "total"), 1);
}

TEST_F(BlamePrecision, OutputOfWeftThatWasPastedIntoASession) {
  person_adds("loom.py", kLine);
  script_.commit("by hand");
  const Ran printed = weft_({"blame", script_.path("loom.py").string()});
  Agent agent = script_.agent(kOne);
  agent.asked("what do you make of this?\n" + printed.out + "\n" + std::string(kLine));
  agent.thinks("The line " + std::string(kLine) + " is a person's.");
  agent.save();
  ingest();
  expect_silent("loom.py", 3);
}

TEST_F(BlamePrecision, ALineThatAPersonWroteASecondTime) {
  Agent agent = script_.agent(kOne);
  agent.asked("press the treadle");
  const Millis pressed = agent.edits("loom.py", "shuttle", std::string(kLine) + "shuttle");
  agent.save();
  person_adds("loom.py", kLine);
  script_.commit("both");
  ingest();
  EXPECT_EQ(line_of(script_.blame("loom.py"), 2).time, pressed);
  expect_silent("loom.py", 4);
}

TEST_F(BlamePrecision, ALineThatWasCommittedBeforeIsAnsweredWeaklyAtMost) {
  Agent agent = script_.agent(kOne);
  agent.asked("press the treadle");
  agent.edits("loom.py", "shuttle", std::string(kLine) + "shuttle");
  agent.save();
  script_.commit("press");
  replace_in(script_.path("loom.py"), kLine, "");
  script_.commit("release");
  person_adds("loom.py", kLine);
  script_.commit("by hand again");
  ingest();
  const LineOf line = line_of(script_.blame("loom.py"), 3);
  EXPECT_TRUE(line.time == 0 || line.rule == "earlier") << line.rule;
}

}  // namespace
}  // namespace weft::test
