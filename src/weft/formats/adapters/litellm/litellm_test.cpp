#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Failure;
using transcript::Text;
using transcript::Thinking;

Collector read(std::string_view bytes) { return read_with("litellm", bytes); }
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/litellm" / name)
      .value();
}

// A call with `members`, whose answer is `answer`.
std::string call(std::string_view id, std::string_view members, std::string_view answer = "") {
  const std::string response = answer.empty()
                                   ? "null"
                                   : R"({"choices":[{"message":{"role":"assistant","content":")" +
                                         std::string(answer) + R"("}}]})";
  return R"({"id":")" + std::string(id) +
         R"(","call_type":"acompletion","response_cost":0,"model":"m",)" + std::string(members) +
         R"(,"response":)" + response + "}\n";
}
std::string asked(std::string_view words) {
  return R"("messages":[{"role":"user","content":")" + std::string(words) + R"("}])";
}

TEST(LiteLlm, CallsOfOneTraceAreOneConversation) {
  const Collector collector = read(fixture("payloads.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id, "trace-a");
  EXPECT_EQ(conversation.heading.provider, "anthropic");
  // A failure and the retry after it are in one turn.
  EXPECT_EQ(outline(conversation),
            "system #1: *Be kind. | human #1.1: Hello. | assistant chatcmpl-l1: thinking Good day. "
            "| human #2: Who are you? | assistant chatcmpl-l2: *failure thinking call");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{32, 12, 3, 0}));
  EXPECT_EQ(conversation.facts.account, std::nullopt);
  const auto blocks = blocks_of(conversation);
  // The blocks that have the signature are taken, not the text beside them.
  EXPECT_EQ(std::get<Thinking>(blocks[2].body), (Thinking{.text = "greet", .signature = "U0lH"}));
  EXPECT_EQ(std::get<Failure>(blocks[5].body).text, "overloaded");
  EXPECT_EQ(std::get<Thinking>(blocks[6].body).signature, "c2ln");
  EXPECT_EQ(std::get<ToolCall>(blocks[7].body).id, "call_9");
  EXPECT_EQ(std::get<ToolCall>(blocks[7].body).input, (json::value{{"side", "left"}}));
  EXPECT_EQ(blocks[1].recorded, 1772359200500);
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"another endpoint", 1}}));
}

TEST(LiteLlm, RowsOfTheDatabase) {
  const Collector collector = read(fixture("spend.json"));
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[0]),
            "human #1: Name a tree. | assistant chatcmpl-s1: Oak.");
  // A row whose words were not kept still tells what it used.
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{17, 10, 0, 0}));
  EXPECT_EQ(outline(collector.conversations[1]),
            "system #3: *Be brief. | human #3.1: Another. | assistant resp_s3: Elm.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"no content", 1}}));
}

TEST(LiteLlm, ABatchForLangfuse) {
  const Collector collector = read(fixture("langfuse.json"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  EXPECT_EQ(collector.conversations[0].heading.session_id, "trace-1");
  EXPECT_EQ(kinds_of(collector.conversations[0]), (Counts{{"text", 2}}));
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{10, 20, 4, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 1}, {"internal", 1}}));
}

TEST(LiteLlm, RedactedWordsAreNoneAndCutOnesStay) {
  const Collector collector = read(fixture("broken-payloads.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto blocks = blocks_of(collector.conversations[0]);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_NE(std::get<Text>(blocks[0].body).text.find("litellm_truncated"), std::string::npos);
  EXPECT_EQ(collector.conversations[0].heading.provider, "groq");
  EXPECT_EQ(reasons_of(collector.skipped).at("no content"), 1);
}

TEST(LiteLlm, TracesOfEachCallAreJoinedByWhatTheyRestate) {
  const Collector collector =
      read(call("c1", R"("trace_id":"t1",)" + asked("a"), "b") +
           call("c2",
                R"("trace_id":"t2","messages":[{"role":"user","content":"a"},{"role":"assistant",)"
                R"("content":"b"},{"role":"user","content":"c"}])",
                "d") +
           // The same first words are no continuation.
           call("c3", R"("trace_id":"t3",)" + asked("a"), "e"));
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[0]),
            "human #1: a | assistant c1: b | human #2: c | assistant c2: d");
  EXPECT_EQ(outline(collector.conversations[1]), "human #3: a | assistant c3: e");
}

TEST(LiteLlm, WhatASessionSaysOtherwiseIsABranch) {
  const Collector collector = read(call("c1", R"("session_id":"s",)" + asked("a"), "b") +
                                   call("c2", R"("session_id":"s",)" + asked("z"), "y") +
                                   call("c3", R"("session_id":"r",)" + asked("a"), "b"));
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[0]),
            "human #1: a | assistant c1: b | human #2<: z | assistant c2: y");
  EXPECT_EQ(collector.conversations[1].heading.session_id, "r");
}

TEST(LiteLlm, ACallThatWasLoggedTwiceIsToldOnce) {
  const std::string one =
      call("c1", R"("prompt_tokens":3,"completion_tokens":1,)" + asked("a"), "b");
  const Collector collector = read(one + one);
  EXPECT_EQ(outline(collector.conversations.at(0)), "human #1: a | assistant c1: b");
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{3, 1, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(LiteLlm, WordsOfTheMessagesApiAreUnderstood) {
  const Collector collector = read(
      R"({"id":"c","call_type":"anthropic_messages","response_cost":0,"model":"claude-x","messages":{},)"
      R"("proxy_server_request":{"body":{"system":"Be.","messages":[{"role":"user","content":"a"},)"
      R"({"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}]}},)"
      R"("response":{"type":"message","role":"assistant","content":[{"type":"thinking",)"
      R"("thinking":"h","signature":"s"},{"type":"text","text":"b"}]}})"
      "\n");
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "system #1: *Be. | human #1.1: a | assistant #1.2: call result thinking b");
}

TEST(LiteLlm, PeopleAndKeysAreLeftOut) {
  for (const char* name : {"payloads.jsonl", "spend.json", "langfuse.json"}) {
    for (const auto& conversation : read(fixture(name)).conversations) {
      EXPECT_EQ(conversation.facts.account, std::nullopt);
      for (const auto& block : blocks_of(conversation)) {
        EXPECT_FALSE(std::holds_alternative<transcript::Unknown>(block.body));
      }
    }
  }
}

}  // namespace
}  // namespace weft::formats
