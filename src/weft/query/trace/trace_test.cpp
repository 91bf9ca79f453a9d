// Causes and effects: along which edges, in which order, and whose edges count.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "weft/query/questions.hpp"
#include "weft/query/trace/path.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/stranger_for_test.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::query {
namespace {

using store::Talk;
using testing::ElementsAre;

thought::Thought block(const std::string& kind, json::object content, std::vector<Cid> because = {},
                       Millis time = 1'700'000'000'000) {
  thought::Thought thought;
  thought.type = "test/" + kind;
  thought.content = std::move(content);
  thought.created_at = time;
  for (const Cid& cause : because) thought.because.push_back({.thought = cause});
  return thought;
}

// One visited thought: its CID, depth, edge and origin.
struct Visited {
  std::string cid;
  std::int64_t depth;
  std::string edge, from;
  bool operator==(const Visited&) const = default;
};
void PrintTo(const Visited& visited, std::ostream* out) {
  *out << visited.depth << " " << visited.cid << " by " << visited.edge << " from " << visited.from;
}
Visited start(const Cid& cid) { return {cid.str(), 0, "(none)", "(none)"}; }
Visited step(const Cid& cid, std::int64_t depth, const std::string& edge, const Cid& from) {
  return {cid.str(), depth, edge, from.str()};
}

std::vector<Visited> visited_in(const Result<json::object>& answer) {
  EXPECT_TRUE(answer) << answer.error().message;
  std::vector<Visited> visited;
  if (!answer) return visited;
  const auto text = [](const json::object& thought, std::string_view member) {
    return std::string(find_string(thought, member).value_or("(none)"));
  };
  for (const json::value& value : answer->at("thoughts").as_array()) {
    const json::object& thought = value.as_object();
    visited.push_back({text(thought, "cid"), thought.at("depth").to_number<std::int64_t>(),
                       text(thought, "reached_by"), text(thought, "reached_from")});
  }
  return visited;
}

class Traces : public testing::Test {
 protected:
  Traces() {
    auto opened = store::open_store(scratch_.path() / "weft.db", store::Create::yes);
    EXPECT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }
  void commit(Talk& talk) {
    const auto report = store_->writer().commit(talk.batch());
    ASSERT_TRUE(report) << report.error().message;
  }
  Library library() const { return {.web = *store_}; }
  std::vector<Visited> causes(const Cid& cid, const TraceOptions& options = {}) const {
    return visited_in(why_answer(library(), cid, options));
  }
  std::vector<Visited> effects(const Cid& cid, const TraceOptions& options = {}) const {
    return visited_in(effects_answer(library(), cid, options));
  }
  json::object first_thought(const Cid& cid) const {
    return why_answer(library(), cid, {}).value().at("thoughts").as_array().at(0).as_object();
  }

  // A call that spawns a subagent, which thinks and answers; the result, and an answer to it.
  void spawn_subagent(Millis answered_at = 1'700'000'000'000) {
    prompt_ = parent_.stands(block("human_input", {{"text", "find the loom"}}));
    call_ = parent_.stands(block("tool_request", {{"tool_name", "Task"}}, {prompt_}));
    result_ = parent_.stands(block("tool_result", {{"result_text", "in the attic"}}, {call_}));
    end_ = parent_.stands(block("response", {{"text", "the attic"}}, {result_}));
    commit(parent_);
    task_ = child_.stands(block("human_input", {{"text", "look in the attic"}}));
    found_ = child_.stands(block("response", {{"text", "it is there"}}, {task_}, answered_at));
    child_.connect("spawns", call_, child_.cid());
    child_.connect("returns", found_, result_);
    commit(child_);
  }

  store::Scratch scratch_;
  std::unique_ptr<store::Store> store_;
  Talk parent_{"parent"}, child_{"child"};
  Cid prompt_, call_, result_, end_, task_, found_;
};

TEST_F(Traces, FindAPathThroughASubagentWhicheverOfTheTwoIsNamedFirst) {
  spawn_subagent();
  const auto steps = [&](const Cid& from, const Cid& to, const PathOptions& options = {}) {
    const json::object found = path(library(), from, to, options).value();
    std::vector<std::string> cids;
    for (const json::value& thought : found.at("path").as_array()) {
      cids.emplace_back(view(thought.at("cid").as_string()));
    }
    cids.push_back(canonical_json(found.at("rests")));
    return cids;
  };
  EXPECT_THAT(steps(end_, task_),
              ElementsAre(end_.str(), result_.str(), found_.str(), task_.str(), "\"from\""));
  EXPECT_THAT(steps(prompt_, task_),
              ElementsAre(task_.str(), call_.str(), prompt_.str(), "\"to\""));
  EXPECT_THAT(steps(end_, end_), ElementsAre(end_.str(), "\"from\""));
  Talk other("other");
  const Cid apart = other.says("apart");
  commit(other);
  EXPECT_THAT(steps(end_, apart), ElementsAre("null"));
  EXPECT_FALSE(path(library(), end_, apart, {}).value().at("truncated").as_bool());
  EXPECT_TRUE(path(library(), end_, task_, {.limit = 1}).value().at("truncated").as_bool());
  EXPECT_EQ(path(library(), end_, Cid(), {}).error().code, ErrorCode::not_found);
}

TEST_F(Traces, SayByWhichEdgeAndFromWhichThoughtEachWasReached) {
  Talk talk("s1");
  const Cid a = talk.says("a"), b = talk.says("b"), c = talk.says("c");
  commit(talk);
  EXPECT_THAT(causes(c), ElementsAre(start(c), step(b, 1, "because", c), step(a, 2, "because", b)));
  EXPECT_THAT(effects(a),
              ElementsAre(start(a), step(b, 1, "because", a), step(c, 2, "because", b)));
}

TEST_F(Traces, VisitAThoughtOnceFromTheNearestThatLeadsToIt) {
  Talk talk("s1");
  const Cid a = talk.stands(block("human_input", {{"text", "a"}}));
  const Cid b = talk.stands(block("thinking", {{"reasoning", "b"}}, {a}));
  const Cid c = talk.stands(block("response", {{"text", "c"}}, {b, a}));
  commit(talk);
  EXPECT_THAT(causes(c), ElementsAre(start(c), step(b, 1, "because", c), step(a, 1, "because", c)));
  EXPECT_THAT(effects(a),
              ElementsAre(start(a), step(b, 1, "because", a), step(c, 1, "because", a)));
}

TEST_F(Traces, StopAtDepthAndLimitAndSayThatThereIsMore) {
  Talk talk("s1");
  const Cid a = talk.says("a"), b = talk.says("b"), c = talk.says("c");
  commit(talk);
  const auto truncated = [&](const TraceOptions& options) {
    return effects_answer(library(), a, options).value().at("truncated").as_bool();
  };
  EXPECT_THAT(effects(a, {.depth = 1}), ElementsAre(start(a), step(b, 1, "because", a)));
  EXPECT_THAT(effects(a, {.limit = 1}), ElementsAre(start(a)));
  EXPECT_TRUE(truncated({.depth = 1}));
  EXPECT_TRUE(truncated({.limit = 2}));
  EXPECT_FALSE(truncated({.depth = 2}));
  EXPECT_FALSE(truncated({.limit = 3}));
  EXPECT_THAT(effects(c), ElementsAre(start(c)));
  EXPECT_EQ(effects_answer(library(), Cid(), {}).error().code, ErrorCode::not_found);
}

class UxB3 : public Traces {};

TEST_F(UxB3, WhyOfAResultEntersTheSubagentThatReturnedIt) {
  spawn_subagent();
  EXPECT_THAT(causes(result_),
              ElementsAre(start(result_), step(call_, 1, "because", result_),
                          step(found_, 1, "returns", result_), step(prompt_, 2, "because", call_),
                          step(task_, 2, "because", found_)));
  EXPECT_THAT(causes(task_), ElementsAre(start(task_), step(call_, 1, "spawns", task_),
                                         step(prompt_, 2, "because", call_)));
}

TEST_F(UxB3, EffectsOfACallEnterTheSubagentAndComeBackAtTheResult) {
  spawn_subagent();
  EXPECT_THAT(
      effects(call_),
      ElementsAre(start(call_), step(result_, 1, "because", call_), step(task_, 1, "spawns", call_),
                  step(end_, 2, "because", result_), step(found_, 2, "because", task_)));
  EXPECT_THAT(effects(found_), ElementsAre(start(found_), step(result_, 1, "returns", found_),
                                           step(end_, 2, "because", result_)));
}

TEST_F(UxB3, OnlyTheNewestAnswerIsReturned) {
  spawn_subagent();
  const Cid better = child_.stands(
      block("response", {{"text", "it is there, under a cloth"}}, {task_}, 1'700'000'000'900));
  child_.connect("returns", better, result_);
  commit(child_);
  const std::vector<Visited> visited = causes(result_, {.depth = 1});
  EXPECT_THAT(visited, ElementsAre(start(result_), step(call_, 1, "because", result_),
                                   step(better, 1, "returns", result_)));
  EXPECT_THAT(effects(found_), ElementsAre(start(found_)));
  EXPECT_THAT(effects(better, {.depth = 1}),
              ElementsAre(start(better), step(result_, 1, "returns", better)));
}

TEST_F(UxB3, AnEdgeOfAStrangerReturnsNothing) {
  spawn_subagent();
  store::Stranger eve;
  const Cid injected = eve.says("INJECTED");
  const Cid conversation = eve.conversation("hers");
  eve.places(eve.turn(conversation, 0), injected);
  eve.connects("returns", injected, result_);
  ASSERT_TRUE(store_->writer().import(eve.commit(conversation), {}));
  EXPECT_THAT(causes(result_, {.depth = 1}),
              ElementsAre(start(result_), step(call_, 1, "because", result_),
                          step(found_, 1, "returns", result_)));
  EXPECT_THAT(effects(injected), ElementsAre(start(injected)));
}

TEST_F(UxB3, ConversationsThatSpawnAndReturnInACircleEnd) {
  Talk one("one"), two("two");
  const Cid one_task = one.stands(block("human_input", {{"text", "one"}}));
  const Cid one_call = one.stands(block("tool_request", {{"tool_name", "Task"}}, {one_task}));
  const Cid one_result = one.stands(block("tool_result", {{"result_text", "x"}}, {one_call}));
  const Cid one_end = one.stands(block("response", {{"text", "one ends"}}, {one_result}));
  commit(one);
  const Cid two_task = two.stands(block("human_input", {{"text", "two"}}));
  const Cid two_call = two.stands(block("tool_request", {{"tool_name", "Task"}}, {two_task}));
  const Cid two_result = two.stands(block("tool_result", {{"result_text", "y"}}, {two_call}));
  const Cid two_end = two.stands(block("response", {{"text", "two ends"}}, {two_result}));
  two.connect("spawns", one_call, two.cid());
  two.connect("spawns", two_call, one.cid());
  two.connect("returns", two_end, one_result);
  two.connect("returns", one_end, two_result);
  commit(two);
  EXPECT_EQ(causes(one_end).size(), 8u);
  EXPECT_EQ(effects(one_task).size(), 8u);
}

TEST_F(UxB3, EffectsAreCausesTheOtherWayRound) {
  spawn_subagent();
  std::map<std::string, std::set<std::string>> behind, before;
  for (const Cid& cid : {prompt_, call_, result_, end_, task_, found_}) {
    for (const Visited& cause : causes(cid)) behind[cid.str()].insert(cause.cid);
    for (const Visited& effect : effects(cid)) before[effect.cid].insert(cid.str());
  }
  EXPECT_EQ(behind, before);
  EXPECT_EQ(behind.at(end_.str()).size(), 6u);
}

class UxB2 : public Traces {};

TEST_F(UxB2, WhyShowsTheSummaryOfWithheldReasoning) {
  Talk talk("s1");
  const Cid prompt = talk.stands(block("human_input", {{"text", "migrate"}}));
  const Cid thinking =
      talk.stands(block("thinking", {{"reasoning", ""}, {"withheld", true}}, {prompt}));
  const Cid summary = talk.stands(
      block("thinking_summary", {{"summaries", {"Planning the migration", "Weighing a fallback"}}},
            {thinking}));
  talk.connect("rework", summary, thinking);
  const Cid open = talk.stands(block("thinking", {{"reasoning", "said openly"}}, {thinking}));
  talk.connect("rework", summary, open);
  commit(talk);
  const json::object shown = first_thought(thinking);
  EXPECT_EQ(shown.at("summary"),
            (json::object{{"cid", summary.str()},
                          {"text", "Planning the migration\n\nWeighing a fallback"}}));
  EXPECT_FALSE(first_thought(open).contains("summary")) << "its reasoning can be read";
  // It is no cause: each thought once, along the edges alone.
  EXPECT_THAT(causes(thinking), ElementsAre(start(thinking), step(prompt, 1, "because", thinking)));
}

TEST_F(UxB2, ASummaryByAStrangerIsNotShown) {
  Talk talk("s1");
  const Cid thinking = talk.stands(block("thinking", {{"reasoning", ""}, {"withheld", true}}));
  commit(talk);
  store::Stranger eve;
  const Cid injected = eve.adds("test/thinking_summary", {{"summaries", {"INJECTED"}}});
  const Cid conversation = eve.conversation("hers");
  eve.connects("rework", injected, thinking);
  ASSERT_TRUE(store_->writer().import(eve.commit(conversation), {}));
  EXPECT_FALSE(first_thought(thinking).contains("summary"));
}

}  // namespace
}  // namespace weft::query
