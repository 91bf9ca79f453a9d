// Streams that Claude Code really printed, read by hand: what must come out is counted in the
// files themselves.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

class SdkReal : public RealFiles {
 protected:
  SdkReal() : RealFiles("claude-agent-sdk", "claude-agent-sdk") {}
  std::string cases_ = "meawoppl__rust-code-agent-sdks/claude-codes/test_cases/";
};

TEST_F(SdkReal, AnExplorerThatCountsFiles) {
  const Collector collector = read(cases_ + "subagent_sessions/explore_count_files.jsonl");
  ASSERT_EQ(collector.conversations.size(), 2u);
  const auto& session = collector.conversations[0];
  const auto& explorer = collector.conversations[1];
  EXPECT_EQ(session.heading.session_id, "4e3453f9-129a-4da9-bc25-a287453d58d9");
  EXPECT_EQ(kinds_of(session), (Counts{{"thinking", 1}, {"text", 2}, {"call", 1}, {"result", 1}}));
  EXPECT_EQ(session.turns.size(), 1u);
  EXPECT_EQ(session.facts.cwd, "/tmp");
  EXPECT_EQ(session.facts.tools.size(), 30u);
  EXPECT_EQ(session.facts.usage, (transcript::Usage{4, 576, 40618, 7281}));
  EXPECT_EQ(session.spawned.back(),
            (Spawned{.call_id = "toolu_01RmLUJdhjTMn56TnF9cMamW", .agent = "ac4f0276e9d4b6232"}));
  EXPECT_EQ(explorer.heading.source, "subagent:toolu_01RmLUJdhjTMn56TnF9cMamW");
  EXPECT_EQ(explorer.origins,
            (std::vector<Origin>{{.session_id = "4e3453f9-129a-4da9-bc25-a287453d58d9",
                                  .call_id = "toolu_01RmLUJdhjTMn56TnF9cMamW"}}));
  EXPECT_EQ(explorer.facts.title, "Count .rs files in directory");
  EXPECT_EQ(explorer.facts.usage, (transcript::Usage{3, 70, 0, 7699}));
  const auto blocks = blocks_of(explorer);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].author, Author::program);
  EXPECT_EQ(blocks[0].recorded, parse_iso8601("2026-06-25T00:23:54.795Z"));
  EXPECT_EQ(blocks[1].model, "claude-haiku-4-5-20251001");
  EXPECT_EQ(std::get<ToolResult>(blocks[2].body).text, "21");
  // 9 counts of tokens, the rate limit, a task's progress and its update.
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 12}, {"notification", 1}}));
}

TEST_F(SdkReal, ASubagentOfWhichOnlyThePromptWasPrinted) {
  const Collector collector = read(cases_ + "subagent_sessions/general_purpose_compute.jsonl");
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(kinds_of(collector.conversations[0]),
            (Counts{{"thinking", 2}, {"call", 2}, {"result", 2}, {"text", 2}}));
  EXPECT_EQ(kinds_of(collector.conversations[1]), (Counts{{"text", 1}}));
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{9, 619, 65110, 8288}));
  EXPECT_EQ(collector.conversations[0].facts.updated_at, parse_iso8601("2026-06-25T00:11:45.860Z"));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 17}, {"notification", 1}}));
}

TEST_F(SdkReal, ASessionThatItsOwnNotificationWokeAgain) {
  const Collector collector = read("recorded/claude-code-2.1.325-stream.jsonl");
  ASSERT_EQ(collector.conversations.size(), 2u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(kinds_of(session),
            (Counts{{"thinking", 4}, {"redacted", 1}, {"text", 3}, {"call", 4}, {"result", 4}}));
  EXPECT_EQ(kinds_of(collector.conversations[1]),
            (Counts{{"thinking", 1}, {"call", 1}, {"result", 1}, {"text", 1}}));
  EXPECT_EQ(session.turns.size(), 1u);
  EXPECT_EQ(session.turns[0].head.source_id, "95dc500b-1448-4d85-ba64-880f0d6a0cc0");
  EXPECT_FALSE(session.turns[0].head.counted);
  EXPECT_EQ(session.facts.usage, (transcript::Usage{400 + 100, 168 + 42, 20 + 5, 28 + 7}));
  EXPECT_EQ(session.facts.updated_at, parse_iso8601("2026-11-15T19:17:39.795Z"));
  const auto blocks = blocks_of(session);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(blocks[i].message_id, "msg_373q9sv75") << i;
  EXPECT_EQ(std::get<ToolResult>(blocks[5].body).call_id, "toolu_2si4rnrik");
  EXPECT_EQ(std::get<ToolResult>(blocks[6].body).text, "hello-capybara\nnotes.txt");
  const bool has_error = std::ranges::any_of(blocks, [](const auto& block) {
    const auto* result = std::get_if<ToolResult>(&block.body);
    return result != nullptr && result->is_error && result->call_id == "toolu_6uz5uv28x";
  });
  EXPECT_TRUE(has_error);
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 18}, {"notification", 1}}));
}

// Every line that the stream has is told or skipped: those told are the messages, the
// beginnings, the tasks that began, and the results.
TEST_F(SdkReal, MappedAndSkippedAreAllLines) {
  const std::map<std::string, std::size_t> mapped = {
      {cases_ + "subagent_sessions/explore_count_files.jsonl", 1 + 5 + 3 + 1 + 1},
      {cases_ + "subagent_sessions/general_purpose_compute.jsonl", 1 + 6 + 3 + 1 + 1},
      {"recorded/claude-code-2.1.325-stream.jsonl", 2 + 15 + 5 + 1 + 2},
  };
  for (const auto& [path, count] : mapped) {
    const std::string bytes = read_file(root_ / path).value();
    const auto lines = static_cast<std::size_t>(std::ranges::count(bytes, '\n'));
    EXPECT_EQ(count + read(path).skipped.size(), lines) << path;
  }
}

TEST_F(SdkReal, SingleMessagesInFilesOfTheirOwn) {
  const std::string captures = cases_ + "tool_use_captures/";
  EXPECT_EQ(kinds_of(read(captures + "tool_msg_2.json").conversations.at(0)),
            (Counts{{"call", 1}}));
  EXPECT_EQ(kinds_of(read(captures + "tool_msg_5.json").conversations.at(0)),
            (Counts{{"result", 1}}));
  EXPECT_EQ(kinds_of(read(captures + "tool_msg_8.json").conversations.at(0)),
            (Counts{{"text", 1}}));
  const auto error = blocks_of(read(captures + "tool_result_error.json").conversations.at(0));
  EXPECT_TRUE(std::get<ToolResult>(error.at(0).body).is_error);
  // A beginning with nothing after it.
  EXPECT_EQ(reasons_of(read(captures + "tool_msg_0.json").skipped), (Counts{{"no turns", 1}}));
}

}  // namespace
}  // namespace weft::formats
