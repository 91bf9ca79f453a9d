// Messages over several lines, records told twice, and the turns that they make.
#include "weft/formats/adapters/claude_code/claude_code_for_test.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Block;
using transcript::Conversation;
using Counts = std::map<std::string, int>;
using Strings = std::vector<std::string>;

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
  const auto content = blocks(all.only());
  ASSERT_EQ(content.size(), 3u);
  EXPECT_EQ(content[2].source_id, "a");
  EXPECT_EQ(content[2].index, 0u);
  EXPECT_EQ(text_of(content[2]), "Hello");
}

TEST(ClaudeCode, LeavesOutABlockThatItsMessageRepeats) {
  const std::string text = R"({"type":"text","text":"Hello"})";
  const std::string call = R"({"type":"tool_use","id":"c","name":"Bash","input":{}})";
  const Read all = read(user("u", "", "\"hi\"") + assistant("a", "u", "m1", "[" + text + "]") +
                        assistant("b", "a", "m1", "[" + text + "," + call + "]") +
                        assistant("c", "b", "m1", "[" + text + "]") +
                        assistant("d", "c", "m2", "[" + text + "]"));
  EXPECT_EQ(authored(all.only()),
            (Strings{"human: hi", "model: Hello", "model: c", "model: Hello"}));
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
  EXPECT_EQ(authored(all.only()), (Strings{"human: hi", "human: hi there"}));
  EXPECT_EQ(all.skips(), (Counts{{"duplicate", 1}}));
}

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

}  // namespace
}  // namespace weft::formats::claude_code
