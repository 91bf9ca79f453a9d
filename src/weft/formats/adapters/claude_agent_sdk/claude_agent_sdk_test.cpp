#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

Collector read(std::string_view bytes) { return read_with("claude-agent-sdk", bytes); }
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/claude_agent_sdk" /
                   name)
      .value();
}
Confidence sure_of(std::string_view head) {
  return find_adapter("claude-agent-sdk")->recognises(head);
}

TEST(ClaudeAgentSdk, ASubagentIsAConversationOfItsOwn) {
  const Collector collector = read(fixture("subagent.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 2u);
  const auto& session = collector.conversations[0];
  const auto& subagent = collector.conversations[1];
  EXPECT_EQ(session.heading.session_id, "s-garden");
  EXPECT_EQ(outline(session),
            "human u1: Count the roses. | assistant a1: thinking call result "
            "There are nine roses.");
  EXPECT_EQ(session.spawned, (std::vector<Spawned>{{.call_id = "toolu_g"},
                                                   {.call_id = "toolu_g", .agent = "agent7"}}));
  EXPECT_EQ(subagent.heading.source, "subagent:toolu_g");
  EXPECT_EQ(outline(subagent), "system b0: *Count them. | assistant b1: Nine.");
  EXPECT_EQ(subagent.origins,
            (std::vector<Origin>{{.session_id = "s-garden", .call_id = "toolu_g"}}));
  EXPECT_EQ(subagent.facts.title, "count");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1}, {"mirror", 1}}));
}

TEST(ClaudeAgentSdk, TheResultSaysWhatARunUsed) {
  const Collector collector = read(fixture("subagent.jsonl"));
  // Not the sum of the lines: those of a message in progress count too little.
  EXPECT_EQ(collector.conversations.at(0).facts.usage, (transcript::Usage{22, 31, 2, 0}));
  EXPECT_EQ(collector.conversations.at(1).facts.usage, (transcript::Usage{4, 2, 0, 0}));
  EXPECT_EQ(collector.conversations[0].facts.cwd, "/srv/garden");
  EXPECT_EQ(collector.conversations[0].facts.tools, (std::vector<std::string>{"Bash", "Task"}));
  EXPECT_EQ(collector.conversations[0].facts.title, "Count the roses.");
}

TEST(ClaudeAgentSdk, LinesOfOneMessageAreOneStep) {
  const auto blocks = blocks_of(read(fixture("subagent.jsonl")).conversations.at(0));
  EXPECT_EQ(blocks.at(1).message_id, "msg_g1");
  EXPECT_EQ(blocks.at(2).message_id, "msg_g1");
  EXPECT_EQ(blocks.at(1).recorded, parse_iso8601("2026-05-01T08:00:02Z"));
  const auto& result = std::get<transcript::ToolResult>(blocks.at(3).body);
  EXPECT_EQ(result.call_id, "toolu_g");
  EXPECT_TRUE(result.details);
}

TEST(ClaudeAgentSdk, AResultAloneIsTheAnswer) {
  const Collector collector = read(fixture("result.json"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant #1: It rained on Monday.");
  EXPECT_EQ(blocks_of(collector.conversations[0])[0].model, "claude-test-1");
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{3, 7, 0, 0}));
}

TEST(ClaudeAgentSdk, AFailedRunIsAFailureAndAResetGoesOnElsewhere) {
  const Collector collector = read(fixture("failed.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[0]), "assistant a1: I try. *failure");
  EXPECT_EQ(std::get<transcript::Failure>(blocks_of(collector.conversations[0])[1].body).text,
            "Reached the limit");
  // It counted nothing: what the messages used stands.
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{5, 4, 0, 0}));
  EXPECT_EQ(collector.conversations[1].heading.session_id, "s-f2");
  EXPECT_EQ(collector.conversations[1].origins,
            (std::vector<Origin>{{.kind = Origin::Kind::continued, .session_id = "s-f1"}}));
  // What is of a kind that we do not know is kept.
  EXPECT_EQ(outline(collector.conversations[1]), "system w1: *unknown | assistant a2: Again.");
}

TEST(ClaudeAgentSdk, AnArrayIsAStreamToo) {
  const Collector collector = read(fixture("array.json"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant a1: Yes.");
  EXPECT_TRUE(collector.skipped.empty());
}

TEST(ClaudeAgentSdk, WhatWasPrintedBesideTheStreamIsSkipped) {
  const Collector collector = read(fixture("broken-capture.jsonl"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant a1: Whole.");
  ASSERT_EQ(collector.skipped.size(), 2u);
  EXPECT_EQ(collector.skipped[0].line, 1u);
  EXPECT_EQ(collector.skipped[1].line, 4u);
}

TEST(ClaudeAgentSdk, ARecordThatComesAgainIsADuplicate) {
  const std::string log = fixture("array.json");
  const std::string line =
      R"({"type":"assistant","session_id":"s","uuid":"a","message":{"id":"m","content":[]}})"
      "\n";
  const std::string blocks =
      R"({"type":"user","session_id":"s","uuid":"u","message":{"role":"user","content":"Hi"}})"
      "\n";
  EXPECT_EQ(reasons_of(read(blocks + line + blocks).skipped),
            (Counts{{"duplicate", 1}, {"empty", 1}}));
}

TEST(ClaudeAgentSdk, AnErrorOfTheProviderIsAFailure) {
  const Collector collector = read(
      R"({"type":"assistant","session_id":"s","uuid":"a","error":"authentication_failed",)"
      R"("message":{"id":"m","model":"<synthetic>","role":"assistant","content":[{"type":"text",)"
      R"("text":"Please log in"}]}})");
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].author, Author::program);
  EXPECT_EQ(std::get<transcript::Failure>(blocks[0].body).text, "Please log in");
}

TEST(ClaudeAgentSdk, ASyntheticPromptIsTheProgrammes) {
  const Collector collector =
      read(R"({"type":"user","session_id":"s","uuid":"u","isSynthetic":true,)"
           R"("message":{"role":"user","content":"Go on."}})");
  EXPECT_EQ(outline(collector.conversations.at(0)), "system u: *Go on.");
}

TEST(ClaudeAgentSdk, KeepsDetailsThatNoValueCanHoldAsText) {
  const Collector collector = read(
      R"({"type":"user","session_id":"s","uuid":"u","message":{"role":"user","content":)"
      R"([{"type":"tool_result","tool_use_id":"t","content":"r"}]},"tool_use_result":{"n":1e999}})");
  const auto blocks = blocks_of(collector.conversations.at(0));
  EXPECT_EQ(std::get<transcript::ToolResult>(blocks.at(0).body).details,
            json::value(R"({"n":1e999})"));
}

TEST(ClaudeAgentSdk, DoesNotClaimWhatOnlyBeginsAlike) {
  const std::string init =
      R"({"type":"system","subtype":"init","session_id":"s","tools":["a"],"cwd":"/"})"
      "\n";
  EXPECT_EQ(sure_of(init), Confidence::yes);
  EXPECT_EQ(sure_of(init + R"({"type":"tool_call","session_id":"s","toolName":"x"})"),
            Confidence::no);
  EXPECT_EQ(sure_of(R"({"type":"user","sessionId":"s","uuid":"u","message":{"content":"a"}})"),
            Confidence::no);
  EXPECT_EQ(sure_of(R"({"hook_event_name":"Stop","session_id":"s"})"), Confidence::no);
}

}  // namespace
}  // namespace weft::formats
