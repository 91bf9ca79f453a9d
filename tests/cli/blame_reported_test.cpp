// weft blame where commits say themselves who wrote their lines: notes of git-ai, and trailers.
#include "agent_for_test.hpp"

namespace weft::test {
namespace {

constexpr std::string_view kLine = "treadle = 'pressed with the left foot'\n";

// An agent's line is committed so late, after another commit of the file, that its time does not
// tell of it.
class BlameReported : public testing::Test {
 protected:
  void SetUp() override {
    script_.repository.write("loom.py", "import weaving_library\nshuttle = 'thrown by hand'\n");
    script_.repository.write("attic/loom.py", "import weaving_library\n");
    script_.commit("two looms");
    Agent agent = script_.agent(kOne);
    agent.asked("press the treadle");
    pressed_ =
        agent.edits("loom.py", "shuttle", std::string(kLine) + "shuttle", Agent::Details::untold);
    agent.save();
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
    script_.repository.write("loom.py",
                             "import weaving_library\nshuttle = 'thrown by hand'\n# between\n");
    script_.commit("between");
    script_.repository.write("loom.py", "import weaving_library\n" + std::string(kLine) +
                                            "shuttle = 'thrown by hand'\n# between\n"
                                            "bobbin = 'wound by a person'\n");
  }
  json::object run_of(std::size_t line, std::string_view file = "loom.py") const {
    const json::object answer = script_.blame(file);
    for (const json::value& value : list(answer, "runs")) {
      const json::object& run = value.get_object();
      const auto at = static_cast<std::int64_t>(line);
      if (number(run, "first") <= at && number(run, "last") >= at) return run;
    }
    return {};
  }
  static std::string rule_of(const json::object& run) {
    return run.contains("rule") ? text(run, "rule") + " " + text(run, "sure") : "silent";
  }
  std::string note_on(std::string_view ranges, std::string_view session) const {
    return "loom.py\n  s_c9883b05a2487d::t_9f8e7d6c5b4a32 " + std::string(ranges) +
           "\n---\n{\"schema_version\":\"authorship/3.0.0\",\"sessions\":{\"s_c9883b05a2487d\":"
           "{\"agent_id\":{\"tool\":\"claude\",\"id\":\"" +
           std::string(session) + "\"}}}}";
  }
  void add_note(const std::string& note) const {
    script_.repository.git({"notes", "--ref=ai", "add", "-f", "-m", note, "HEAD"});
  }
  void amend(const std::string& trailer) const {
    script_.repository.git({"commit", "-q", "--amend", "-m", "late\n\n" + trailer});
  }

  Weft weft_;
  Script script_{weft_};
  Millis pressed_ = 0;
};

TEST_F(BlameReported, ATrailerNamesTheCallOrItsPrompt) {
  script_.commit("late");
  const json::object weak = run_of(2);
  EXPECT_EQ(rule_of(weak), "earlier weak") << "without a report";
  for (const char* name : {"request_cid", "prompt_cid"}) {
    amend("Weft-Thought: " + text(weak, name));
    const json::object run = run_of(2);
    EXPECT_EQ(rule_of(run), "reported likely") << name;
    EXPECT_EQ(text(run, "reported_by"), "Weft-Thought");
    EXPECT_EQ(number(run, "time"), pressed_);
    EXPECT_EQ(rule_of(run_of(5)), "silent") << "a person's line of the same commit";
  }
  // Of another call, of none, and of something that is no name.
  for (const std::string& other : {"cid:blake3:" + std::string(64, '0'), std::string("last"),
                                   text(weak, "conversation_cid")}) {
    amend("Weft-Thought: " + other);
    EXPECT_EQ(rule_of(run_of(2)), "earlier weak") << other;
  }
}

TEST_F(BlameReported, ANoteNamesTheSession) {
  script_.commit("late");
  add_note(note_on("2,5", kOne));
  EXPECT_EQ(rule_of(run_of(2)), "reported likely") << "and the session wrote this line";
  EXPECT_EQ(text(run_of(2), "reported_by"), "git-ai");
  const json::object alone = run_of(5);
  EXPECT_EQ(rule_of(alone), "reported weak") << "only the note says so";
  EXPECT_EQ(text(alone, "session_id"), kOne);
  EXPECT_FALSE(alone.contains("request_cid"));
  const json::object answer = script_.blame("loom.py");
  EXPECT_EQ(number(answer, "answered"), 1);
  EXPECT_EQ(number(answer, "weak"), 1);
  EXPECT_THAT(weft_({"blame", script_.path("loom.py").string()}).out,
              testing::HasSubstr("reported (weak) by git-ai"));
  for (const std::string& note :
       {note_on("2,5", kTwo), note_on("2,5", "last"), note_on("4", kOne), std::string("a note")}) {
    add_note(note);
    EXPECT_EQ(rule_of(run_of(2)), "earlier weak") << note;
    EXPECT_EQ(rule_of(run_of(5)), "silent") << note;
  }
}

TEST_F(BlameReported, OverridesNoStrongerRule) {
  script_.repository.git({"checkout", "-q", "loom.py"});
  Agent other = script_.agent(kTwo);
  other.asked("wind the bobbin");
  const Millis wound = other.edits("loom.py", "shuttle", "bobbin = 'wound by an agent'\nshuttle");
  script_.commit("wind");
  other.save();
  ASSERT_EQ(weft_({"ingest"}).exit, 0);
  add_note(note_on("2", kOne));
  const json::object run = run_of(2);
  EXPECT_EQ(rule_of(run), "replayed certain");
  EXPECT_EQ(number(run, "time"), wound);
}

// Reports that name a call which did not write the line: elsewhere, failed, undone.
TEST_F(BlameReported, IsNotBelievedForLinesThatTheCallDidNotWrite) {
  Agent agent = script_.agent(kTwo);
  agent.asked("oil it, and then do not");
  agent.fails_to_edit("loom.py", "no such text", "oiled = 'by an edit that failed'\n");
  agent.edits("loom.py", "# between\n", "greased = 'by an edit that was undone'\n# between\n");
  agent.edits("loom.py", "greased = 'by an edit that was undone'\n", "");
  agent.save();
  ASSERT_EQ(weft_({"ingest"}).exit, 0);
  script_.repository.write("attic/loom.py", "import weaving_library\n" + std::string(kLine));
  script_.repository.write("loom.py", content_of(script_.path("loom.py")) +
                                          "oiled = 'by an edit that failed'\n"
                                          "greased = 'by an edit that was undone'\n");
  script_.commit("late");
  const json::object pressed = run_of(2);
  std::string trailers = "Weft-Thought: " + text(pressed, "request_cid") + "\n";
  const json::object found = weft_.json({"search", "oil", "--type", "human_input"});
  trailers += "Weft-Thought: " + text(list(found, "results").at(0).get_object(), "cid");
  amend(trailers);
  EXPECT_EQ(rule_of(run_of(2)), "reported likely");
  EXPECT_EQ(rule_of(run_of(2, "attic/loom.py")), "silent") << "the same text elsewhere";
  EXPECT_EQ(rule_of(run_of(6)), "silent") << "the edit failed";
  EXPECT_EQ(rule_of(run_of(7)), "silent") << "the edit was undone";
}

}  // namespace
}  // namespace weft::test
