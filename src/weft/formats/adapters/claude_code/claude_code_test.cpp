#include "weft/base/file.hpp"
#include "weft/formats/adapters/claude_code/claude_code_for_test.hpp"

namespace weft::formats::claude_code {
namespace {

using testing::Test;
using transcript::Attachment;
using transcript::Author;
using transcript::Block;
using transcript::Conversation;
using transcript::Failure;
using transcript::Origin;
using transcript::Spawned;
using transcript::ToolResult;
using transcript::Unknown;
using Strings = std::vector<std::string>;
using Counts = std::map<std::string, int>;

constexpr std::string_view kSession = "0b5c1f52-94d1-4c0e-8a55-0d1f6f6a7c01";

std::string fixture(std::string_view name) {
  return read_file(std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/claude_code/" +
                   std::string(name))
      .value();
}

// --- One message over several lines ---

TEST(ClaudeCode, KeepsOneMessageTogetherAcrossTheResultsThatComeBetween) {
  const Read all = read(fixture("main.jsonl"));
  const Conversation& main = all.only();
  EXPECT_EQ(roles(main), "HA");
  std::vector<std::pair<std::string, std::string>> steps;
  for (const Block& block : main.turns[1].blocks) {
    steps.emplace_back(kind_of(block), block.message_id.value_or("-"));
  }
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"text", "-"},   {"thinking", "msg_1"}, {"redacted", "msg_1"}, {"call", "msg_1"},
      {"result", "-"}, {"call", "msg_1"},     {"result", "-"},       {"text", "msg_2"}};
  EXPECT_EQ(steps, expected);
  EXPECT_EQ(main.turns[1].blocks[1].source_id, "a1");
  EXPECT_EQ(main.turns[1].blocks[1].model, "claude-x");
  EXPECT_EQ(main.turns[1].blocks[1].recorded, parse_iso8601("2026-03-01T10:00:02Z"));
}

TEST(ClaudeCode, CountsUsageOnceForEachMessageByTheLineWithTheMostOutput) {
  const Read all = read(fixture("main.jsonl"));
  EXPECT_EQ(all.only().facts.usage, (transcript::Usage{20, 52, 6, 4}));
}

TEST(ClaudeCode, TellsATextThatHasGrownInThePlaceOfTheEarlierOne) {
  const Read all = read(user("u", "", "\"hi\"") +
                        assistant("a", "u", "m1", R"([{"type":"text","text":"Hel"}])") +
                        assistant("b", "a", "m1", R"([{"type":"text","text":"Hello"}])"));
  const auto told = blocks(all.only());
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[2].source_id, "a");
  EXPECT_EQ(told[2].index, 0u);
  EXPECT_EQ(text_of(told[2]), "Hello");
}

TEST(ClaudeCode, LeavesOutABlockThatItsMessageRepeats) {
  const std::string text = R"({"type":"text","text":"Hello"})";
  const std::string call = R"({"type":"tool_use","id":"c","name":"Bash","input":{}})";
  const Read all = read(user("u", "", "\"hi\"") + assistant("a", "u", "m1", "[" + text + "]") +
                        assistant("b", "a", "m1", "[" + text + "," + call + "]") +
                        assistant("c", "b", "m1", "[" + text + "]") +
                        assistant("d", "c", "m2", "[" + text + "]"));
  EXPECT_EQ(said(all.only()), (Strings{"human: hi", "model: Hello", "model: c", "model: Hello"}));
  EXPECT_EQ(all.skips(), (Counts{{"duplicate", 1}}));
}

TEST(ClaudeCode, TakesBlocksWithNumbersOfTheirOwnForTwoHoweverAlikeTheyAre) {
  const std::string text = R"([{"type":"text","text":"Yes"}])";
  const std::string longer = R"([{"type":"text","text":"Yes, yes"}])";
  const Read all = read(assistant("a", "", "m1", text, R"(,"apiBlockIndex":0)") +
                        assistant("b", "a", "m1", longer, R"(,"apiBlockIndex":1)"));
  EXPECT_EQ(blocks(all.only())[1].source_id, "b");
}

TEST(ClaudeCode, KeepsHollowThinking) {
  const Read all =
      read(assistant("a", "", "m1", R"([{"type":"thinking","thinking":"","signature":"c2ln"}])") +
           assistant("b", "a", "m1", R"([{"type":"thinking","thinking":"","signature":""}])"));
  EXPECT_EQ(kinds(all.only()), (Counts{{"model thinking", 2}}));
}

TEST(ClaudeCode, SkipsARecordThatComesTwiceButTellsOneThatHasChanged) {
  const std::string hi = user("u", "", "\"hi\"");
  const Read all = read(hi + hi + user("u", "", "\"hi there\""));
  EXPECT_EQ(said(all.only()), (Strings{"human: hi", "human: hi there"}));
  EXPECT_EQ(all.skips(), (Counts{{"duplicate", 1}}));
}

// --- Branches ---

TEST(ClaudeCode, TellsTheParentOfAPromptThatGoesBack) {
  const Read all = read(fixture("branches.jsonl"));
  EXPECT_EQ(roles(all.only()), "HAHAH<a1>AHA");
}

TEST(ClaudeCode, FollowsAPromptAcrossACompaction) {
  const Read all = read(
      user("u1", "", "\"one\"") + assistant("a1", "u1", "m1", R"([{"type":"text","text":"1"}])") +
      user("u2", "a1", "\"two\"") + assistant("a2", "u2", "m2", R"([{"type":"text","text":"2"}])") +
      R"({"type":"system","subtype":"compact_boundary","uuid":"k","parentUuid":null,"logicalParentUuid":"a2","sessionId":"s"})"
      "\n" +
      user("k2", "k", "\"summary\"", R"(,"isCompactSummary":true)") +
      user("u3", "k2", "\"three\""));
  EXPECT_EQ(roles(all.only()), "HAHAH");
  EXPECT_EQ(kinds(all.only())["model compaction"], 1);
}

TEST(ClaudeCode, BranchesFromATurnLongAfterItsRecordsAreForgotten) {
  std::string text =
      user("u1", "", "\"one\"") + assistant("a1", "u1", "m1", R"([{"type":"text","text":"1"}])");
  std::string parent = "a1";
  for (int i = 0; i < 2000; ++i) {
    const std::string id = "x" + std::to_string(i);
    text += i == 0 ? user(id, parent, "\"two\"")
                   : assistant(id, parent, "m" + id, R"([{"type":"text","text":"2"}])");
    parent = id;
  }
  text += user("u3", "a1", "\"three\"");
  EXPECT_EQ(roles(read(text).only()), "HAHAH<a1>");
}

TEST(ClaudeCode, KeepsApartTwoPromptsOfWhichTheSecondReplacesTheFirst) {
  const Read all = read(user("u1", "", "\"one\"") +
                        assistant("a1", "u1", "m1", R"([{"type":"text","text":"1"}])") +
                        user("u2", "a1", "\"tow\"") + user("u3", "a1", "\"two\""));
  EXPECT_EQ(roles(all.only()), "HAHH<a1>");
}

TEST(ClaudeCode, TakesWordsOfAPersonWithNothingBetweenForOneTurn) {
  const Read all = read(user("u1", "", "\"one\"") + user("u2", "u1", "\"two\""));
  EXPECT_EQ(roles(all.only()), "H");
}

// --- Whose words ---

TEST(ClaudeCode, TellsApartWhatAPersonTypedAndWhatTheProgramSays) {
  const Read all = read(fixture("harness.jsonl"));
  const Strings words = said(all.only());
  const Strings first(words.begin(), words.begin() + 10);
  EXPECT_EQ(first,
            (Strings{"program: Caveat: The messages below were generated by the user while running "
                     "local commands.",
                     "human: /model large",
                     "program: <local-command-stdout>Set model to large</local-command-stdout>",
                     "human: !git pull",
                     "program: <bash-stdout>Up to date.</bash-stdout>\n<bash-stderr></bash-stderr>",
                     "program: <ide_opened_file>The user opened beds.txt</ide_opened_file>",
                     "human: what is this?", "human: ", "model: A list of beds.",
                     "human: and the roses?"}));
  EXPECT_EQ(roles(all.only()), "SHAHAHAHAHA");
  EXPECT_EQ(kinds(all.only()), (Counts{{"human text", 5},
                                       {"human attachment", 1},
                                       {"model text", 2},
                                       {"model thinking", 1},
                                       {"model compaction", 1},
                                       {"program text", 6},
                                       {"program failure", 2},
                                       {"program summary", 2},
                                       {"program unknown", 1}}));
  EXPECT_EQ(all.skips(), (Counts{{"compact-boundary", 1}, {"other-session", 1}}));
}

TEST(ClaudeCode, TakesWhatTheEditorAddsWithThePromptItStandsBefore) {
  const Read all = read(
      user("u", "",
           R"("<ide_selection>x</ide_selection>\n<ide_opened_file>y</ide_opened_file>\nwhy?")"));
  EXPECT_EQ(roles(all.only()), "H");
  EXPECT_EQ(said(all.only()), (Strings{"program: <ide_selection>x</ide_selection>\n"
                                       "<ide_opened_file>y</ide_opened_file>",
                                       "human: why?"}));
}

TEST(ClaudeCode, TakesANotificationAndWhatFollowsItForTheProgramsWords) {
  const Read all = read(
      user("u", "", R"("<task-notification><task-id>b1</task-id></task-notification>\nRead it.")"));
  EXPECT_EQ(roles(all.only()), "S");
}

TEST(ClaudeCode, BelievesTheRecordWhereItSaysThatNobodyTypedIt) {
  for (const std::string_view more :
       {R"(,"isMeta":true)", R"(,"origin":{"kind":"peer"})", R"(,"promptSource":"system")"}) {
    EXPECT_EQ(roles(read(user("u", "", "\"hi\"", more)).only()), "S") << more;
  }
  EXPECT_EQ(roles(read(user("u", "", "\"hi\"", R"(,"origin":{"kind":"human"})")).only()), "H");
}

TEST(ClaudeCode, TakesWordsBesideAResultForTheProgramsOwn) {
  const Read all = read(user(
      "u", "",
      R"([{"type":"tool_result","tool_use_id":"c","content":"x"},{"type":"text","text":"hm"}])"));
  EXPECT_EQ(kinds(all.only()), (Counts{{"tool result", 1}, {"program text", 1}}));
}

TEST(ClaudeCode, ReadsABareStringInAList) {
  EXPECT_EQ(said(read(user("u", "", R"(["hi"])")).only()), (Strings{"human: hi"}));
}

TEST(ClaudeCode, TakesAProgramsFailureForAFailureAndItsOtherWordsForInput) {
  const Read all = read(
      R"({"type":"assistant","uuid":"a","sessionId":"s","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}})"
      "\n"
      R"({"type":"assistant","uuid":"b","sessionId":"s","message":{"model":"<synthetic>","id":"x","content":[{"type":"text","text":"No response requested."}]}})"
      "\n");
  EXPECT_EQ(kinds(all.only()), (Counts{{"program failure", 1}, {"program text", 1}}));
  for (const Block& block : blocks(all.only())) {
    EXPECT_EQ(block.model, std::nullopt);
    EXPECT_EQ(block.message_id, std::nullopt);
  }
}

TEST(ClaudeCode, KeepsARecordOfUnknownTypeThatStandsInTheThreadWithoutItsIds) {
  const Read all =
      read(user("u", "", "\"hi\"") +
           R"({"type":"weather","uuid":"w","parentUuid":"u","sessionId":"s","sky":"blue"})"
           "\n"
           R"({"type":"weather","sessionId":"s","sky":"grey"})"
           "\n");
  const auto told = blocks(all.only());
  const auto* unknown = std::get_if<Unknown>(&told.at(1).body);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->block_type, "weather");
  EXPECT_EQ(unknown->raw, (json::object{{"sky", "blue"}}));
  EXPECT_EQ(all.skips(), (Counts{{"unknown-record", 1}}));
}

TEST(ClaudeCode, KeepsABlockThatNoValueCanHoldAsItsText) {
  const std::string block = R"({"type":"tool_use","id":"c","name":"N","input":{"n":1e999}})";
  const Read all = read(assistant("a", "", "m1", R"([{"type":"text","text":"t"},)" + block + "]"));
  const auto told = blocks(all.only());
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(text_of(told[0]), "t");
  EXPECT_EQ(std::get<Unknown>(told[1].body).raw_text, block);
}

TEST(ClaudeCode, ReadsAFileThatTheHarnessLaysBeforeTheModel) {
  const Read all = read(
      R"({"type":"attachment","uuid":"f","sessionId":"s","attachment":{"type":"file","displayPath":"a.txt","content":{"type":"text","file":{"filePath":"/a.txt","content":"abc"}}}})"
      "\n");
  const Block block = blocks(all.only()).at(0);
  EXPECT_EQ(block.author, Author::program);
  EXPECT_EQ(std::get<Attachment>(block.body).name, "a.txt");
  EXPECT_EQ(std::get<Attachment>(block.body).text, "abc");
}

TEST(ClaudeCode, SaysTheSystemPromptAgainOnlyIfItIsAnotherOne) {
  const auto snapshot = [](std::string_view uuid, std::string_view prompt) {
    return R"({"type":"attachment","sessionId":"s","uuid":")" + std::string(uuid) +
           R"(","attachment":{"type":"prompt_snapshot","systemPrompt":[")" + std::string(prompt) +
           R"("],"tools":[{"name":"Bash"},{"name":"Read"}]}})" + "\n";
  };
  const Read all =
      read(snapshot("a", "be good") + snapshot("b", "be good") + snapshot("c", "be better"));
  EXPECT_EQ(said(all.only()), (Strings{"program: be good", "program: be better"}));
  EXPECT_EQ(all.skips(), (Counts{{"unchanged", 1}}));
  EXPECT_EQ(all.only().facts.tools, (Strings{"Bash", "Read"}));
}

// --- Results ---

ToolResult result_of(std::string_view more, std::string_view text = "out") {
  const Read all = read(
      user("r", "",
           R"([{"type":"tool_result","tool_use_id":"c","content":")" + std::string(text) + R"("}])",
           more));
  return std::get<ToolResult>(blocks(all.only()).at(0).body);
}

TEST(ClaudeCode, KeepsTheStructuredResultWithoutWhatTheTextSaysAlready) {
  EXPECT_EQ(result_of(R"(,"toolUseResult":{"stdout":"out","stderr":"","code":1})").details,
            (json::object{{"stderr", ""}, {"code", 1}}));
  EXPECT_EQ(result_of(R"(,"toolUseResult":{"content":[{"type":"text","text":"out"}]})").details,
            std::nullopt);
  EXPECT_EQ(result_of(R"(,"toolUseResult":"out")").details, std::nullopt);
  EXPECT_EQ(result_of(R"(,"toolUseResult":"Error: out")").details, std::nullopt);
  EXPECT_EQ(result_of(R"(,"toolUseResult":"other")").details, json::value("other"));
}

TEST(ClaudeCode, BelievesTheStructuredResultOnlyOfASingleOne) {
  const std::string one = R"({"type":"tool_result","tool_use_id":"c","content":"x"})";
  const Read all = read(user("r", "", "[" + one + "," + one + "]", R"(,"toolUseResult":{"a":1})"));
  for (const Block& block : blocks(all.only())) {
    EXPECT_EQ(std::get<ToolResult>(block.body).details, std::nullopt);
  }
}

TEST(ClaudeCode, TakesTheWholeOfALongResultFromItsFolderByNameOnly) {
  Strings asked;
  SourceInfo info{.name = std::string(kSession) + ".jsonl", .directory = "/p"};
  info.beside = [&](std::string_view path) -> std::optional<std::string> {
    asked.emplace_back(path);
    return "all of it";
  };
  const std::string text = user(
      "r", "",
      R"([{"type":"tool_result","tool_use_id":"c","content":"<persisted-output>\nOutput too large. Full output saved to: /etc/../x/tool-results/../../big.txt\n\nPreview:\nall"}])");
  const Read all = read(text, info);
  EXPECT_EQ(asked, (Strings{std::string(kSession) + "/tool-results/big.txt"}));
  const auto told = blocks(all.only());
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].author, Author::tool);
  EXPECT_EQ(told[1].source_id, "r");
  EXPECT_EQ(told[1].index, 1u);
  const auto& file = std::get<Attachment>(told[1].body);
  EXPECT_EQ(file.kind, "file");
  EXPECT_EQ(file.name, "big.txt");
  EXPECT_EQ(file.text, "all of it");
  EXPECT_EQ(file.size, 9u);
}

// --- Conversations within conversations ---

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
  const std::string state = reader->save();
  reader = adapter().open(info);
  ASSERT_TRUE(reader->restore(state));
  const std::size_t second = text.find('\n', first + 1);
  reader->read({.text = std::string_view(text).substr(first + 1, second - first - 1)}, all);
  EXPECT_EQ(asked, 2);
  ASSERT_EQ(all.only().origins.size(), 2u);
  EXPECT_EQ(all.only().origins[1].call_id, "toolu_2");
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
  EXPECT_EQ(all.skips(), (Counts{{"other-session", 1}}));
}

TEST(ClaudeCode, TellsWhereAForkComesFrom) {
  const std::string more = R"(,"forkedFrom":{"sessionId":"old","messageUuid":"x"})";
  const Read all = read(user("u", "", "\"hi\"", more) + user("v", "u", "\"ho\"", more));
  ASSERT_EQ(all.only().origins.size(), 1u);
  EXPECT_EQ(all.only().origins[0], (Origin{Origin::Kind::continued, "old"}));
}

TEST(ClaudeCode, SkipsAllOfAnInternalHelper) {
  const Read all = read(user("u", "", "\"hi\"", R"(,"agentId":"acompact-1","isSidechain":true)"));
  EXPECT_TRUE(all.conversations.empty());
  EXPECT_EQ(all.skips(), (Counts{{"internal", 1}}));
}

// --- Facts ---

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

// --- Broken files ---

TEST(ClaudeCode, TakesTheWholeRecordThatATornOneIsGluedTo) {
  const Read all = read(fixture("broken-torn.jsonl"));
  EXPECT_EQ(said(all.only()),
            (Strings{"human: is it raining?", "model: It is.", "model: No longer."}));
  ASSERT_EQ(all.skipped.size(), 4u);
  for (const transcript::Skipped& skipped : all.skipped) {
    EXPECT_TRUE(skipped.reason.starts_with("malformed: ")) << skipped.reason;
  }
}

TEST(ClaudeCode, ReadsAFileWhoseBeginningIsZeroes) {
  const Read all = read(std::string(16, '\0') + user("u", "", "\"hi\""));
  EXPECT_EQ(said(all.only()), (Strings{"human: hi"}));
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
    if (i % 100 == 0) most = std::max(most, reader->save().size());
  }
  EXPECT_LT(most, 600u << 10);
}

}  // namespace
}  // namespace weft::formats::claude_code
