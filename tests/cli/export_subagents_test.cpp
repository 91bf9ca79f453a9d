// A conversation and the subagents that it spawned, exported together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "program.hpp"
#include "session_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ExportSubagents : public testing::Test {
 protected:
  ExportSubagents() {
    const std::string id = "11111111-1111-4111-8111-111111111111";
    Session parent(id), child(id);
    parent.human("find the loom");
    parent.calls("task-1", "Task", "look in the attic");
    parent.prints("task-1", "it is there", json::object{{"agentId", "a7"}});
    parent.says("in the attic");
    child.make_subagent("a7");
    child.human("look in the attic");
    child.says("it is there");
    std::filesystem::create_directories(weft.scratch() / id / "subagents");
    EXPECT_EQ(weft({"ingest", weft.write(id + ".jsonl", parent.text()),
                    weft.write(id + "/subagents/agent-a7.jsonl", child.text())})
                  .exit,
              0);
    for (const json::value& row : list(weft.json({"list"}), "conversations")) {
      const bool is_child = text(row.get_object(), "source") != "primary";
      (is_child ? child_cid : parent_cid) = text(row.get_object(), "cid");
    }
  }

  Weft weft;
  std::string parent_cid, child_cid;
  std::string file = weft.path("thoughts.jsonl");
};

TEST_F(ExportSubagents, UxA7AreIncludedOnRequestAndWalkElsewhere) {
  const json::object written =
      weft.json({"export", parent_cid, "--as", "thoughts", "--with-subagents", "--out", file});
  EXPECT_FALSE(written.contains("notes"));
  const Weft other;
  EXPECT_EQ(other({"import", file}).exit, 0);
  EXPECT_EQ(number(other.json({"list"}), "total"), 2);
  for (const std::string& cid : {parent_cid, child_cid}) {
    EXPECT_EQ(other.json({"walk", cid}), weft.json({"walk", cid}));
  }
  EXPECT_EQ(other({"verify"}).exit, 0);
  // Each thought once, though the two share some.
  const Ran lines = weft({"export", parent_cid, "--as", "thoughts", "--with-subagents"});
  std::set<std::string> seen;
  std::size_t count = 0;
  for (std::size_t at = 0; at < lines.out.size(); ++count) {
    const std::size_t end = lines.out.find('\n', at);
    seen.insert(lines.out.substr(at, end - at));
    at = end + 1;
  }
  EXPECT_EQ(seen.size(), count);
}

TEST_F(ExportSubagents, UxA7AreOtherwiseCountedOnStderr) {
  const Ran ran = weft({"export", parent_cid, "--as", "thoughts"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.err, HasSubstr("1 subagent left out; include them with --with-subagents"));
  EXPECT_THAT(weft({"export", child_cid, "--as", "thoughts"}).err, Not(HasSubstr("left out")));
  EXPECT_THAT(weft({"export", parent_cid, "--as", "thoughts", "--with-subagents"}).err,
              Not(HasSubstr("left out")));
  EXPECT_EQ(
      list(weft.json({"export", parent_cid, "--as", "thoughts", "--out", file}), "notes").size(),
      1u);
}

TEST_F(ExportSubagents, HaveNoPlaceInAnApiRequest) {
  const Ran ran = weft({"export", parent_cid, "--as", "anthropic-messages", "--with-subagents"});
  EXPECT_EQ(ran.exit, 2) << ran;
  EXPECT_THAT(ran.err, HasSubstr("--as thoughts"));
}

}  // namespace
}  // namespace weft::test
