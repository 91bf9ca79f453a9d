// What a session of Claude Code is: its name, its agents, its facts; and files that are broken.
#include "weft/formats/adapters/claude_code/claude_code_for_test.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Conversation;
using transcript::Origin;
using transcript::Spawned;
using Counts = std::map<std::string, int>;
using Strings = std::vector<std::string>;

TEST(ClaudeCode, NamesTheSessionByItsFileThenByItsRecordsThenByItsFirstRecord) {
  const std::string text = user("u", "", "\"hi\"");
  EXPECT_EQ(read(text, {.name = std::string(kSession) + ".jsonl"}).only().heading.session_id,
            kSession);
  EXPECT_EQ(read(text).only().heading.session_id, "s");
  const Read bare = read(R"({"type":"user","message":{"content":"hi"}})");
  EXPECT_TRUE(bare.only().heading.session_id.starts_with("b3:"));
  EXPECT_EQ(bare.only().heading.session_id.size(), 19u);
  EXPECT_EQ(bare.only().turns[0].head.source_id, "#1");
  EXPECT_TRUE(bare.only().turns[0].head.counted);
}

TEST(ClaudeCode, ReadsASubagentAsAConversationWithoutPeople) {
  SourceInfo info{.name = "agent-a7d3.jsonl",
                  .directory = "/p/" + std::string(kSession) + "/subagents"};
  info.beside = [](std::string_view path) -> std::optional<std::string> {
    if (path != "agent-a7d3.meta.json") return std::nullopt;
    return R"({"toolUseId":"toolu_2","description":"look south"})";
  };
  const Read all = read(fixture("agent-a7d3.jsonl"), info);
  const Conversation& agent = all.only();
  EXPECT_EQ(agent.heading.source, "subagent:a7d3");
  EXPECT_EQ(agent.heading.session_id, "5f0c1a52-94d1-4c0e-8a55-0d1f6f6a7c01");
  EXPECT_EQ(roles(agent), "SA");
  EXPECT_EQ(agent.facts.title, "look south");
  ASSERT_EQ(agent.origins.size(), 1u);
  EXPECT_EQ(agent.origins[0],
            (Origin{Origin::Kind::spawned, agent.heading.session_id, "toolu_2", "a7d3"}));
}

TEST(ClaudeCode, TakesTheFoldersSessionWhereASubagentNamesNone) {
  const std::string line =
      R"({"type":"user","uuid":"u","isSidechain":true,"sessionId":"agent-x","agentId":"x","message":{"content":"hi"}})";
  const Read all =
      read(line, {.name = "agent-x.jsonl",
                  .directory = "/p/" + std::string(kSession) + "/subagents/workflows/run"});
  EXPECT_EQ(all.only().heading.session_id, kSession);
  EXPECT_EQ(all.only().heading.source, "subagent:x");
}

TEST(ClaudeCode, LooksForTheSidecarAgainWhenItIsOpenedAgain) {
  int asked = 0;
  SourceInfo info{.name = "agent-a7d3.jsonl"};
  info.beside = [&](std::string_view) -> std::optional<std::string> {
    if (++asked == 1) return std::nullopt;
    return R"({"toolUseId":"toolu_2"})";
  };
  const std::string text = fixture("agent-a7d3.jsonl");
  const std::size_t first = text.find('\n');
  Read all;
  auto reader = adapter().open(info);
  reader->read({.text = std::string_view(text).substr(0, first)}, all);
  const json::object state = reader->save();
  reader = adapter().open(info);
  ASSERT_TRUE(reader->restore(state));
  const std::size_t second = text.find('\n', first + 1);
  reader->read({.text = std::string_view(text).substr(first + 1, second - first - 1)}, all);
  EXPECT_EQ(asked, 2);
  ASSERT_EQ(all.only().origins.size(), 2u);
  EXPECT_EQ(all.only().origins[1].call_id, "toolu_2");
}

TEST(ClaudeCode, RefusesAStateWithHashesOfAnotherKindSoThatItsFileIsReadWhole) {
  Read all;
  const auto reader = adapter().open({.name = "session.jsonl"});
  const std::string text = fixture("main.jsonl");
  reader->read({.text = std::string_view(text).substr(0, text.find('\n'))}, all);
  json::object state = reader->save();
  EXPECT_TRUE(adapter().open({.name = "session.jsonl"})->restore(state));
  state["records"] = state.at("seen");  // as it was called when they were BLAKE3's
  state.erase("seen");
  EXPECT_EQ(adapter().open({.name = "session.jsonl"})->restore(state).error().code,
            ErrorCode::corrupt);
}

TEST(ClaudeCode, TellsWhomACallSpawned) {
  const Read all = read(fixture("main.jsonl"));
  EXPECT_EQ(all.only().spawned, (std::vector<Spawned>{{"toolu_2"}, {"toolu_2", "a7d3"}}));
}

TEST(ClaudeCode, LearnsFromTheQueueAndFromProgressWhomACallSpawned) {
  const std::string call = assistant(
      "a", "", "m1",
      R"([{"type":"tool_use","id":"c","name":"Task","input":{}},{"type":"tool_use","id":"d","name":"Agent","input":{}},{"type":"tool_use","id":"e","name":"Bash","input":{}}])");
  const Read all = read(
      call +
      R"({"type":"queue-operation","operation":"enqueue","sessionId":"s","content":"<task-notification><task-id>x</task-id><tool-use-id>c</tool-use-id></task-notification>"})"
      "\n"
      R"({"type":"queue-operation","operation":"enqueue","sessionId":"s","content":"<task-id>y</task-id><tool-use-id>e</tool-use-id>"})"
      "\n"
      R"({"type":"progress","uuid":"p","parentUuid":"a","sessionId":"s","parentToolUseID":"d","data":{"type":"agent_progress","agentId":"z"}})"
      "\n");
  EXPECT_EQ(all.only().spawned, (std::vector<Spawned>{{"c"}, {"d"}, {"c", "x"}, {"d", "z"}}));
  EXPECT_EQ(all.skips(), (Counts{{"queue-operation", 2}, {"progress", 1}}));
}

TEST(ClaudeCode, ReadsASidechainInTheFileAsAConversationOfItsOwn) {
  const Read all = read(fixture("old-sidechain.jsonl"));
  ASSERT_EQ(all.conversations.size(), 2u);
  const Conversation& main = all.of("primary");
  const Conversation& side = all.of("subagent:x1");
  EXPECT_EQ(roles(main), "HA");
  EXPECT_EQ(roles(side), "SA");
  EXPECT_EQ(side.heading.session_id, main.heading.session_id);
  ASSERT_EQ(side.origins.size(), 1u);
  EXPECT_EQ(side.origins[0].call_id, "toolu_t");
  EXPECT_EQ(main.turns[1].blocks.size(), 3u);
  EXPECT_EQ(all.skips(), Counts());
}

TEST(ClaudeCode, TellsWhereAForkComesFrom) {
  const std::string more = R"(,"forkedFrom":{"sessionId":"old","messageUuid":"x"})";
  const Read all = read(user("u", "", "\"hi\"", more) + user("v", "u", "\"ho\"", more));
  ASSERT_EQ(all.only().origins.size(), 1u);
  EXPECT_EQ(all.only().origins[0], (Origin{Origin::Kind::continued, "old"}));
}

TEST(UxA6, HelperAgentIsASubagentMarkedInternal) {
  for (const char* agent : {"acompact-1", "aprompt_suggestion-1"}) {
    const std::string more = R"(,"agentId":")" + std::string(agent) + R"(","isSidechain":true)";
    const std::string answer = assistant(
        "a", "u", "m", R"([{"type":"text","text":"ho"}],"usage":{"input_tokens":3})", more);
    const Read all = read(user("u", "", "\"hi\"", more) + answer,
                          {.name = "agent-" + std::string(agent) + ".jsonl"});
    EXPECT_EQ(all.only().heading.source, "subagent:" + std::string(agent));
    EXPECT_EQ(all.only().facts.internal, true);
    ASSERT_TRUE(all.only().facts.usage);
    EXPECT_EQ(all.only().facts.usage->input, 3);
    EXPECT_EQ(all.skips(), Counts());
  }
  EXPECT_EQ(read(fixture("main.jsonl")).only().facts.internal, std::nullopt);
}

TEST(ClaudeCode, TellsWhereTheOutcomeOfABackgroundAgentStands) {
  const std::string call =
      assistant("a", "", "m1", R"([{"type":"tool_use","id":"c","name":"Task","input":{}}])");
  const std::string started =
      user("r", "a", R"([{"type":"tool_result","tool_use_id":"c","content":"started"}])",
           R"(,"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"x"})");
  const std::string notified = user(
      "n", "r",
      R"("<task-notification><task-id>x</task-id><tool-use-id>c</tool-use-id></task-notification>")");
  const Read all = read(call + started + notified);
  using Outcome = Spawned::Outcome;
  EXPECT_EQ(all.only().spawned,
            (std::vector<Spawned>{
                {"c"}, {"c", "x"}, {"c", {}, Outcome::later}, {"c", {}, Outcome::here}}));
}

TEST(ClaudeCode, ChoosesTheTitleByWhereItComesFrom) {
  const std::string prompt = user("u", "", R"("first\n  prompt")") + user("v", "u", "\"second\"");
  const std::string last = R"({"type":"last-prompt","lastPrompt":"second","sessionId":"s"})"
                           "\n";
  const std::string made = R"({"type":"ai-title","aiTitle":"Made","sessionId":"s"})"
                           "\n";
  const std::string chosen = R"({"type":"custom-title","customTitle":"Chosen","sessionId":"s"})"
                             "\n";
  EXPECT_EQ(read(prompt).only().facts.title, "first prompt");
  EXPECT_EQ(read(prompt + last).only().facts.title, "second");
  EXPECT_EQ(read(prompt + made + last).only().facts.title, "Made");
  EXPECT_EQ(read(chosen + prompt + made).only().facts.title, "Chosen");
  EXPECT_EQ(read(chosen + prompt + made).skips(), (Counts{{"unchanged", 1}}));
}

TEST(ClaudeCode, PrefersWordsToACommandForTheTitle) {
  const std::string command = user("c", "", R"("<command-name>clear</command-name>")");
  EXPECT_EQ(read(command).only().facts.title, "/clear");
  EXPECT_EQ(read(command + user("u", "c", "\"hi\"")).only().facts.title, "hi");
}

TEST(ClaudeCode, SaysSoWhereThereIsATitleAndNothingElse) {
  const Read all = read(R"({"type":"ai-title","aiTitle":"Made","sessionId":"s"})");
  EXPECT_TRUE(all.conversations.empty());
  EXPECT_EQ(all.skips(), (Counts{{"no turns", 1}}));
}

TEST(ClaudeCode, TellsFolderBranchAndProject) {
  const Read all = read(fixture("main.jsonl"), {.name = "x.jsonl", .project = "garden"});
  EXPECT_EQ(all.only().facts.cwd, "/home/ada/garden");
  EXPECT_EQ(all.only().facts.git_branch, "main");
  EXPECT_EQ(all.only().facts.project, "garden");
  EXPECT_EQ(all.only().facts.updated_at, parse_iso8601("2026-03-01T10:00:04Z"));
}

TEST(ClaudeCode, TakesTheWholeRecordThatATornOneIsGluedTo) {
  const Read all = read(fixture("broken-torn.jsonl"));
  EXPECT_EQ(authored(all.only()),
            (Strings{"human: is it raining?", "model: It is.", "model: No longer."}));
  ASSERT_EQ(all.skipped.size(), 4u);
  for (const transcript::Skipped& skipped : all.skipped) {
    EXPECT_TRUE(skipped.reason.starts_with("malformed: ")) << skipped.reason;
  }
}

TEST(ClaudeCode, ReadsAFileWhoseBeginningIsZeroes) {
  const Read all = read(std::string(16, '\0') + user("u", "", "\"hi\""));
  EXPECT_EQ(authored(all.only()), (Strings{"human: hi"}));
}

TEST(ClaudeCode, NeverTakesAnIdThatIsNone) {
  const Read all =
      read(user("two words", "", "\"hi\"") + user(std::string(500, 'x'), "", "\"ho\""));
  EXPECT_EQ(blocks(all.only())[0].source_id, "#1");
  EXPECT_EQ(blocks(all.only())[1].source_id, "#2");
}

TEST(ClaudeCode, KeepsItsStateSmallHoweverLongTheFileIs) {
  auto reader = adapter().open({.name = "x.jsonl"});
  transcript::Collector sink;
  std::size_t most = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string id = "00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + i);
    const std::string line =
        i % 2 == 0
            ? user(id, "", "\"hi\"", i % 3 == 0 ? R"(,"isSidechain":true)" : "")
            : assistant(id, "", "msg" + id,
                        R"([{"type":"tool_use","id":"c)" + id + R"(","name":"Task","input":{}}])");
    reader->read({.text = std::string_view(line).substr(0, line.size() - 1)}, sink);
    if (i % 100 == 0) most = std::max(most, canonical_json(reader->save()).size());
  }
  EXPECT_LT(most, 600u << 10);
}

}  // namespace
}  // namespace weft::formats::claude_code
