// A subagent's response returns to the outcome of its call.
#include <gtest/gtest.h>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using transcript::Author;
using transcript::Origin;
using transcript::Spawned;
using Edges = std::set<Loom::Triple>;

// A session that calls an agent, and the agent. Each may be emitted in pieces; times are given.
class Agents : public testing::Test {
 protected:
  void in_parent() { enter({.session_id = "s1"}); }
  void in_child() {
    enter({.session_id = "s1", .source = "subagent:x"});
    loom_.weaver->origin({.session_id = "s1", .agent = "x"});
  }
  Cid call(Millis time) {
    in_parent();
    const Cid cid = emit(time, Author::model, transcript::ToolCall{"t", "Task", {}, {}, {}});
    loom_.weaver->spawned({.call_id = "t", .agent = "x"});
    loom_.commit();
    return cid;
  }
  Cid result(Millis time) {
    in_parent();
    return emit(time, Author::tool, transcript::ToolResult{"t", "Task", "done"});
  }
  Cid prompt(Millis time) {
    in_child();
    return emit(time, Author::program, transcript::Text{"go", {}});
  }
  Cid response(Millis time, std::string text) {
    in_child();
    return emit(time, Author::model, transcript::Text{std::move(text), {}});
  }
  Cid emit(Millis time, Author author, transcript::Body body) {
    transcript::Block block{.author = author, .body = std::move(body), .source_id = "r"};
    block.index = loom_.next_index++;
    if (time > 0) block.start = time;
    return loom_.emit(std::move(block));
  }
  Edges returns() const { return loom_.edges("returns"); }

  Loom loom_;

 private:
  void enter(const Loom::Named& named) {
    if (loom_.current.source == named.source && loom_.last_turn) return;
    loom_.heading(named);
  }
};

TEST_F(Agents, TheNewestResponseReturnsIfTheChildComesFirst) {
  prompt(20);
  response(30, "looking");
  const Cid answer = response(40, "found");
  response(60, "asked again");
  call(10);
  const Cid outcome = result(50);
  EXPECT_EQ(returns(), (Edges{{answer, outcome, ""}}));
}

TEST_F(Agents, AFurtherResponseThatFitsBetterAddsAnEdge) {
  call(10);
  const Cid outcome = result(50);
  prompt(20);
  const Cid first = response(30, "looking");
  EXPECT_EQ(returns(), (Edges{{first, outcome, ""}}));
  const Cid second = response(50, "found");
  EXPECT_EQ(returns(), (Edges{{first, outcome, ""}, {second, outcome, ""}}));
  response(51, "later");
  response(40, "out of order");
  EXPECT_EQ(returns().size(), 2u);
}

TEST_F(Agents, OfEqualTimesTheLastReturns) {
  prompt(20);
  response(30, "one");
  const Cid last = response(30, "two");
  call(10);
  const Cid outcome = result(30);
  EXPECT_EQ(returns(), (Edges{{last, outcome, ""}}));
}

TEST_F(Agents, WithoutTimesNothingReturns) {
  call(0);
  result(0);
  prompt(0);
  response(0, "found");
  EXPECT_EQ(loom_.edges("spawns").size(), 1u);
  EXPECT_TRUE(returns().empty());
}

TEST_F(Agents, EdgeIsSignedInTheConversationOfTheSubagent) {
  prompt(20);
  response(40, "found");
  call(10);
  result(50);
  const CommitUnit* signing = nullptr;
  for (const CommitUnit& unit : loom_.all_units) {
    for (const thought::Connection& edge : unit.connections) {
      if (edge.relation == "returns") signing = &unit;
    }
  }
  ASSERT_NE(signing, nullptr);
  const auto child = loom_.known_web.conversations.at({"anthropic-transcript", "s1", "subagent:x"});
  EXPECT_EQ(signing->conversation, child.cid);
  EXPECT_TRUE(signing->checkpoint.has_value());
}

TEST_F(Agents, InTheBackgroundReturnToTheirNotification) {
  in_parent();
  emit(10, Author::model, transcript::ToolCall{"t", "Task", {}, {}, {}});
  loom_.weaver->spawned({.call_id = "t", .agent = "x"});
  loom_.hold_commits = true;
  emit(50, Author::tool, transcript::ToolResult{"t", "Task", "started"});
  loom_.weaver->spawned({.call_id = "t", .outcome = Spawned::Outcome::later});
  loom_.hold_commits = false;
  loom_.commit();
  prompt(20);
  response(40, "already here");
  EXPECT_TRUE(returns().empty()) << "the result only says that it was started";
  const Cid answer = response(70, "found");
  in_parent();
  // More calls than the tracker remembers.
  for (int i = 0; i < 40; ++i) {
    const std::string id = "other-" + std::to_string(i);
    emit(71, Author::model, transcript::ToolCall{id, "Bash", {}, {}, {}});
    emit(72, Author::tool, transcript::ToolResult{id, "Bash", "x"});
  }
  loom_.hold_commits = true;
  emit(80, Author::program, transcript::Text{"<task-notification>", {}});
  loom_.weaver->spawned({.call_id = "t", .outcome = Spawned::Outcome::here});
  loom_.hold_commits = false;
  loom_.commit();
  ASSERT_EQ(returns().size(), 1u);
  const auto [from, to, label] = *returns().begin();
  EXPECT_EQ(from, answer);
  EXPECT_EQ(loom_.thought(to).type, "anthropic/system_input");
}

// Readers resume from a saved state between any two blocks.
TEST_F(Agents, ResumedSourcesReturnAsUninterruptedOnes) {
  call(10);
  loom_.resume();
  const Cid outcome = result(50);
  prompt(20);
  loom_.resume();
  const Cid answer = response(40, "found");
  EXPECT_EQ(returns(), (Edges{{answer, outcome, ""}}));
}

TEST_F(Agents, ReadAgainAddsNothing) {
  prompt(20);
  response(40, "found");
  call(10);
  result(50);
  const std::size_t before = loom_.known_web.thoughts.size();
  loom_.restart();
  loom_.last_turn.reset();
  loom_.next_index = 0;
  loom_.turns = 0;
  prompt(20);
  response(40, "found");
  call(10);
  result(50);
  EXPECT_EQ(loom_.known_web.thoughts.size(), before);
}

// The parent's process and the child's each look before the other has committed.
TEST_F(Agents, CommitOfAResponseStatesThatTheOutcomeWasNotThere) {
  call(10);
  prompt(20);
  response(30, "looking");
  ASSERT_FALSE(loom_.all_units.back().unmarked.empty());
  const PlaceKey key = loom_.all_units.back().unmarked.back();
  const std::size_t before = loom_.all_units.size();
  response(60, "too late for it");
  result(50);
  const auto child = loom_.known_web.conversations.at({"anthropic-transcript", "s1", "subagent:x"});
  bool is_marked = false;
  bool is_child_checked = false;
  for (std::size_t i = before + 1; i < loom_.all_units.size(); ++i) {
    const CommitUnit& unit = loom_.all_units[i];
    for (const Mark& mark : unit.marks) is_marked = is_marked || mark.key == key;
    is_child_checked = is_child_checked || unit.conversation == child.cid;
  }
  EXPECT_TRUE(is_marked) << "so a response woven on the old state conflicts";
  EXPECT_TRUE(is_child_checked) << "so a response that came meanwhile conflicts";
}

}  // namespace
}  // namespace weft::weave
