// Causes, effects and outlines, as a person meets them.
#include "sources_for_test.hpp"

namespace weft::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string repository_fixture(std::string_view name) {
  return (fs::path(WEFT_SOURCE_DIR) / "tests" / "fixtures" / name).string();
}

// Ingests a file; the CID of its conversation.
std::string ingest(Weft& weft, const std::string& path) {
  const json::object report = weft.json({"ingest", path});
  return text(list(report, "conversations").at(0).as_object(), "conversation_cid");
}

std::vector<json::object> thoughts_of(Weft& weft, const std::string& conversation) {
  std::vector<json::object> thoughts;
  for (const json::value& turn : list(weft.json({"walk", conversation}), "turns")) {
    for (const json::value& thought : list(turn.as_object(), "thoughts")) {
      thoughts.push_back(thought.as_object());
    }
  }
  return thoughts;
}

std::string last_cid(const std::vector<json::object>& thoughts, std::string_view kind) {
  std::string cid;
  for (const json::object& thought : thoughts) {
    if (text(thought, "type").ends_with(kind)) cid = text(thought, "cid");
  }
  EXPECT_NE(cid, "") << kind;
  return cid;
}

TEST(UxB2, TheTerminalShowsTheSummaryOfWithheldReasoning) {
  Weft weft;
  const std::string talk = ingest(weft, repository_fixture("codex/paginated.jsonl"));
  const std::vector<json::object> thoughts = thoughts_of(weft, talk);
  const std::string thinking = last_cid(thoughts, "/thinking");
  const Ran why = weft({"why", thinking});
  EXPECT_THAT(why.out, HasSubstr("(summary) Look at the sensors."));
  EXPECT_THAT(why.out, Not(HasSubstr("withheld by its provider")));
  const json::object first = list(weft.json({"why", thinking}), "thoughts").at(0).as_object();
  const json::object& summary = first.at("summary").as_object();
  EXPECT_EQ(text(summary, "text"), "Look at the sensors.");
  EXPECT_EQ(text(summary, "cid"), last_cid(thoughts, "/thinking_summary"));
  EXPECT_THAT(weft({"get", thinking}).out, HasSubstr("Look at the sensors."));
}

TEST(UxB3, TheTerminalNamesTheSubagentThatATraceEnters) {
  Weft weft;
  Session parent(kOne);
  parent.human("find the loom");
  parent.calls("task-1", "Task", "look in the attic");
  parent.prints("task-1", "it is there", json::object{{"agentId", "a7"}, {"status", "completed"}});
  parent.says("in the attic");
  Session child(kOne);
  child.make_subagent("a7");
  child.human("look in the attic");
  child.says("it is there");
  const std::string path = place(weft, kOne);
  append(path, parent.text());
  const fs::path folder = fs::path(path).parent_path() / kOne / "subagents";
  fs::create_directories(folder);
  append(folder / "agent-a7.jsonl", child.text());
  ASSERT_EQ(weft({"ingest"}).exit, 0);
  const std::string call = last_cid(thoughts_of(weft, kOne), "/tool_request");
  const Ran effects = weft({"effects", call});
  EXPECT_EQ(effects.exit, 0) << effects;
  EXPECT_THAT(effects.out, HasSubstr("(subagent a7) look in the attic"));
  std::set<std::string> edges;
  for (const json::value& thought : list(weft.json({"effects", call}), "thoughts")) {
    if (const auto edge = find_string(thought.as_object(), "reached_by")) edges.emplace(*edge);
  }
  EXPECT_TRUE(edges.contains("because"));
  EXPECT_TRUE(edges.contains("spawns"));
}

TEST(Effects, AreTheOppositeOfCauses) {
  Weft weft;
  const std::string talk = ingest(weft, repository_fixture("anthropic_transcript/two-rounds.txt"));
  std::set<std::pair<std::string, std::string>> behind, ahead;
  for (const json::object& thought : thoughts_of(weft, talk)) {
    const std::string cid = text(thought, "cid");
    for (const json::value& cause : list(weft.json({"why", cid}), "thoughts")) {
      behind.emplace(text(cause.as_object(), "cid"), cid);
    }
    for (const json::value& effect : list(weft.json({"effects", cid}), "thoughts")) {
      ahead.emplace(cid, text(effect.as_object(), "cid"));
    }
  }
  // Citations are causes, too, and are not walked.
  std::erase_if(behind,
                [&](const auto& pair) { return !ahead.contains({pair.first, pair.first}); });
  std::erase_if(ahead,
                [&](const auto& pair) { return !behind.contains({pair.second, pair.second}); });
  EXPECT_GT(behind.size(), 10u);
  EXPECT_EQ(behind, ahead);
  const Ran none = weft({"effects", "00000000"});
  EXPECT_EQ(none.exit, 1);
}

TEST(WalkOutline, IsATableForPeopleAndColumnsForPrograms) {
  Weft weft;
  const std::string talk = ingest(weft, repository_fixture("anthropic_transcript/two-rounds.txt"));
  const std::vector<json::object> thoughts = thoughts_of(weft, talk);
  const json::object outline = weft.json({"walk", talk, "--outline"});
  EXPECT_THAT(keys(outline), ElementsAre("conversation_cid", "count", "from", "kinds", "tools",
                                         "flags", "columns", "elsewhere"));
  EXPECT_EQ(static_cast<std::size_t>(number(outline, "count")), thoughts.size());
  EXPECT_THAT(
      keys(outline.at("columns").as_object()),
      ElementsAre("kind", "time", "duration_ms", "length", "tool", "flags", "turn", "causes"));
  const Ran shown = weft({"walk", talk, "--outline", "--from", "1", "--limit", "2"});
  EXPECT_THAT(shown.out, HasSubstr("because of"));
  EXPECT_EQ(std::ranges::count(shown.out, '\n'), 3) << shown;

  const json::object blocks =
      weft.json({"walk", talk, "--from", "1", "--limit", "2", "--cut", "5"});
  EXPECT_THAT(keys(blocks), ElementsAre("conversation_cid", "count", "from", "blocks"));
  const json::array found = list(blocks, "blocks");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(text(found.at(0).as_object(), "cid"), text(thoughts.at(1), "cid"));
  EXPECT_TRUE(found.at(0).as_object().contains("lengths"));
  EXPECT_EQ(std::ranges::count(weft({"walk", talk, "--limit", "2"}).out, '\n'), 2);

  const Ran wrong = weft({"walk", talk, "--outline", "--turn", "1"});
  EXPECT_EQ(wrong.exit, 2) << wrong;
}

}  // namespace
}  // namespace weft::test
