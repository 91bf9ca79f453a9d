// An export, checked by the verifier that shares no code with weft.
#include "program.hpp"
#include "session_for_test.hpp"

namespace weft::test {
namespace {

const std::string kRoot = WEFT_SOURCE_DIR;

class Verifier : public testing::Test {
 protected:
  void SetUp() override {
    if (run_program("/usr/bin/env", {"node", "--version"}, weft.environment).exit != 0) {
      GTEST_SKIP() << "there is no node here";
    }
    if (!std::filesystem::exists(kRoot + "/docs/verify/node_modules")) {
      GTEST_SKIP() << "its npm packages are not installed: tools/setup test";
    }
  }
  Ran check(const std::string& file) const {
    return run_program("/usr/bin/env", {"node", kRoot + "/docs/verify/verify.mjs", file},
                       weft.environment);
  }
  std::string exported(const std::string& fixture, const std::string& seal) {
    EXPECT_EQ(weft({"init", "--seal", seal}).exit, 0);
    const json::object report =
        weft.json({"ingest", kRoot + "/tests/fixtures/anthropic_transcript/" + fixture});
    const std::string cid =
        text(list(report, "conversations").at(0).get_object(), "conversation_cid");
    const Ran ran = weft({"export", cid, "--as", "thoughts"});
    EXPECT_EQ(ran.exit, 0) << ran;
    return ran.out;
  }

  Weft weft;
};

TEST_F(Verifier, AcceptsEveryBlockThatWeftWeaves) {
  const Ran ran = check(weft.write("all.jsonl", exported("every-block.txt", "thinking")));
  EXPECT_EQ(ran.exit, 0) << ran;
}

TEST_F(Verifier, NeedsNoKeyForAWebThatIsSealedWhole) {
  const Ran ran = check(weft.write("all.jsonl", exported("every-block.txt", "all")));
  EXPECT_EQ(ran.exit, 0) << ran;
}

// Edges between conversations lead out of an export; whom they lead to is in it.
TEST_F(Verifier, AcceptsForksAndSubagentsEachOnItsOwn) {
  const std::string one = "11111111-1111-4111-8111-111111111111";
  const std::string two = "22222222-2222-4222-8222-222222222222";
  Session origin(one), fork(two), child(one);
  origin.human("find the loom");
  origin.calls("task-1", "Task", "look in the attic");
  origin.prints("task-1", "it is there", json::object{{"agentId", "a7"}});
  origin.says("in the attic");
  fork.copy(origin);
  fork.human("are you sure?");
  child.make_subagent("a7");
  child.human("look in the attic");
  child.says("it is there");
  for (const bool child_first : {false, true}) {
    Weft fresh;
    const std::string parent_path = fresh.write(one + ".jsonl", origin.text());
    std::filesystem::create_directories(fresh.scratch() / one / "subagents");
    const std::string child_path = fresh.write(one + "/subagents/agent-a7.jsonl", child.text());
    const std::string fork_path = fresh.write(two + ".jsonl", fork.text());
    ASSERT_EQ(fresh({"ingest", child_first ? child_path : parent_path}).exit, 0);
    ASSERT_EQ(fresh({"ingest", child_first ? parent_path : child_path}).exit, 0);
    ASSERT_EQ(fresh({"ingest", fork_path}).exit, 0);
    ASSERT_EQ(fresh({"verify"}).exit, 0) << fresh({"verify"});
    for (const json::value& row : list(fresh.json({"list"}), "conversations")) {
      const std::string cid = text(row.get_object(), "cid");
      const std::string file = fresh.path("thoughts.jsonl");
      ASSERT_EQ(fresh({"export", cid, "--as", "thoughts", "--out", file, "--force"}).exit, 0);
      const Ran checked = check(file);
      EXPECT_EQ(checked.exit, 0) << checked << text(row.get_object(), "source");
      const Weft other;
      const Ran imported = other({"import", file});
      EXPECT_EQ(imported.exit, 0) << imported;
      EXPECT_EQ(number(other.json({"list"}), "total"), 1);
    }
  }
}

TEST_F(Verifier, FindsARemovedLineAndAChangedWord) {
  const std::string good = exported("two-rounds.txt", "thinking");
  std::size_t lines = 0;
  for (std::size_t at = 0; at < good.size();) {
    const std::size_t end = good.find('\n', at) + 1;
    if (lines++ % 9 == 0) {
      std::string less = good;
      less.erase(at, end - at);
      EXPECT_EQ(check(weft.write("less.jsonl", less)).exit, 1) << good.substr(at, end - at);
    }
    at = end;
  }
  EXPECT_GT(lines, 20u);
}

}  // namespace
}  // namespace weft::test
