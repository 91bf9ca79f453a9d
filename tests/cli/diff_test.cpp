// weft diff: what a conversation, and one prompt in it, changed in files.
#include "sources_for_test.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

json::object replaced(std::string_view path, std::string_view before, std::string_view after) {
  return {{"file_path", path}, {"old_string", before}, {"new_string", after}};
}

// Two prompts: the first makes a file and changes it, the second changes another, fails once, and
// sends a subagent, which changes a third.
class Diff : public testing::Test {
 protected:
  void SetUp() override {
    Session session(kOne);
    session.human("make the loom");
    session.calls_with("w1", "Write", {{"file_path", "loom.py"}, {"content", "a = 1\nb = 2\n"}});
    session.prints("w1", "created", json::object{{"type", "create"}, {"originalFile", nullptr}});
    session.calls_with("e1", "Edit", replaced("loom.py", "b = 2", "b = 3"));
    session.prints("e1", "done", json::object{{"originalFile", "a = 1\nb = 2\n"}});
    session.says("made");
    session.human("mend the shuttle");
    session.calls_with("e2", "Edit", replaced("shuttle.py", "x\n", "y\n"));
    session.prints("e2", "done", json::object{{"originalFile", "w\nx\nz\n"}});
    session.calls_with("e3", "Edit", replaced("loom.py", "nothing", "like it"));
    session.fails("e3", "String to replace not found");
    session.calls("task-1", "Task", "oil the treadle");
    session.prints("task-1", "oiled", json::object{{"agentId", "a7"}, {"status", "completed"}});
    session.says("mended");
    Session child(kOne);
    child.make_subagent("a7");
    child.human("oil the treadle");
    child.calls_with("e4", "Edit", replaced("treadle.py", "dry", "oiled"));
    child.prints("e4", "done");
    child.says("oiled");
    const std::string path = place(weft_, kOne);
    append(path, session.text());
    const fs::path folder = fs::path(path).parent_path() / kOne / "subagents";
    fs::create_directories(folder);
    append(folder / "agent-a7.jsonl", child.text());
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
  }

  std::string cid_of(std::string_view words) const {
    for (const json::value& turn : list(weft_.json({"walk", kOne}), "turns")) {
      for (const json::value& thought : list(turn.as_object(), "thoughts")) {
        const json::object& content = thought.at("content").as_object();
        if (content.contains("text") && text(content, "text") == words) {
          return text(thought.as_object(), "cid");
        }
      }
    }
    ADD_FAILURE() << words;
    return {};
  }
  static std::vector<std::string> paths(const json::object& answer) {
    std::vector<std::string> all;
    for (const json::value& file : list(answer, "files")) {
      all.push_back(text(file.as_object(), "status") + " " + text(file.as_object(), "path"));
    }
    return all;
  }

  Weft weft_;
};

TEST_F(Diff, OfAConversationWithItsSubagents) {
  const json::object answer = weft_.json({"diff", kOne});
  EXPECT_THAT(paths(answer),
              ElementsAre("added loom.py", "changed shuttle.py", "changed treadle.py"));
  const json::object loom = list(answer, "files").at(0).as_object();
  EXPECT_TRUE(loom.at("whole").as_bool());
  EXPECT_EQ(list(loom, "edits").size(), 2u) << "the failed one is left out";
  EXPECT_EQ(canonical_json(list(loom, "hunks")),
            R"([{"after_count":2,"after_first":1,"before_count":0,"before_first":0,)"
            R"("lines":["+a = 1","+b = 3"]}])");
  EXPECT_EQ(number(answer, "added"), 4);
  EXPECT_EQ(number(answer, "removed"), 2);
}

TEST_F(Diff, OfOnePrompt) {
  EXPECT_THAT(paths(weft_.json({"diff", cid_of("make the loom")})), ElementsAre("added loom.py"));
  const auto second = ElementsAre("changed shuttle.py", "changed treadle.py");
  EXPECT_THAT(paths(weft_.json({"diff", cid_of("mend the shuttle")})), second);
  EXPECT_THAT(paths(weft_.json({"diff", cid_of("mended")})), second) << "any thought of it";
}

TEST_F(Diff, OfOneFile) {
  EXPECT_THAT(paths(weft_.json({"diff", kOne, "--file", "shuttle.py"})),
              ElementsAre("changed shuttle.py"));
}

TEST_F(Diff, IsPrintedAsADiff) {
  const Ran ran = weft_({"diff", kOne});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("added loom.py  +2 -0\n--- /dev/null\n+++ b/loom.py\n"),
                             HasSubstr("@@ -1,3 +1,3 @@\n w\n-x\n+y\n z\n"),
                             HasSubstr("@@\n-dry\n+oiled\n"), Not(HasSubstr("like it"))));
}

TEST_F(Diff, SaysThatNothingWasChanged) {
  Session session(kTwo);
  session.human("hello");
  session.says("hello");
  append(place(weft_, kTwo), session.text());
  ASSERT_EQ(weft_({"ingest"}).exit, 0);
  EXPECT_EQ(weft_({"diff", kTwo}).out, "no tool call here changed a file\n");
  EXPECT_EQ(weft_({"diff", "00000000"}).exit, 1);
}

}  // namespace
}  // namespace weft::test
