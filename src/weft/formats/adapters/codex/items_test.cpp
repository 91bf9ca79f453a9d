// What Codex' items say, and whose words they are.
#include <gtest/gtest.h>

#include "weft/formats/adapters/codex/codex_for_test.hpp"

namespace weft::formats {
namespace {

using codex::answer;
using codex::call;
using codex::event;
using codex::item;
using codex::line;
using codex::meta;
using codex::outline_of;
using codex::output;
using codex::read;
using codex::result_of;
using codex::user;

TEST(Codex, ItsSystemPromptIsTheProgramsFirstWord) {
  EXPECT_EQ(outline_of(meta(R"("id":"a","base_instructions":{"text":"Be kind."})") + user("hi")),
            "system #1: *Be kind. | human #2: hi");
  EXPECT_EQ(outline_of(meta(R"("id":"a","instructions":"Be brief.")") + user("hi")),
            "system #1: *Be brief. | human #2: hi");
}

TEST(Codex, WhatIsInjectedAsTheUserIsTheProgramsWord) {
  for (const std::string_view words :
       {"<environment_context>x", "<user_instructions>x", "# AGENTS.md instructions for /w",
        "<turn_aborted>", "<subagent_notification>x", "<codex_internal_context a>"}) {
    const Collector collector = read(meta() + user(words) + user("hi"));
    EXPECT_EQ(collector.conversations.at(0).turns.at(0).head.role, transcript::Role::system)
        << words;
    EXPECT_EQ(collector.conversations.at(0).facts.title, "hi");
  }
  EXPECT_EQ(outline_of(meta() + item(R"("type":"message","role":"developer","content":"d")")),
            "system #2: *d");
}

TEST(Codex, NewerFilesSayOfEachPartWhereItComesFrom) {
  EXPECT_EQ(
      outline_of(
          meta() +
          item(
              R"("type":"message","role":"user","id":"m","content":[{"type":"input_text","text":"ctx"},)"
              R"({"type":"input_text","text":"<environment_context> is what?"}],)"
              R"("internal_chat_message_metadata_passthrough":{"content_item_metadata":)"
              R"([{"provenance":{"type":"harness"}},{"provenance":{"type":"user"}}]})")),
      "human m: *ctx text");
  EXPECT_EQ(outline_of(meta() +
                       item(R"("type":"message","role":"user","content":[)"
                            R"({"type":"input_text","text":"a"},{"type":"input_text","text":"b"}],)"
                            R"("internal_chat_message_metadata_passthrough":)"
                            R"({"content_item_kinds":["user.text","hooks.context"]})")),
            "human #2: a *b");
}

TEST(Codex, AnEditorsContextIsNotThePersonsWord) {
  EXPECT_EQ(outline_of(meta() +
                       user("# Context from my IDE setup:\n\n## My request for Codex:\nGo on\n")),
            "human #2: *text Go on");
}

TEST(Codex, APersonsShellCommandIsTheirsAndWhatItPrintedIsNot) {
  EXPECT_EQ(outline_of(meta() +
                       user("<user_shell_command>\n<command>\nls\n</command>\n<result>\n"
                            "a.txt\n</result>\n</user_shell_command>") +
                       answer("ok")),
            "human #2: !ls | assistant #2.1: *a.txt ok");
}

TEST(Codex, ReasoningIsSummariesTextOrOpaque) {
  const Collector collector = read(
      meta() +
      item(
          R"("type":"reasoning","summary":[{"type":"summary_text","text":"s"}],"encrypted_content":"e")") +
      item(R"("type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"t"}])") +
      item(R"("type":"reasoning","summary":[],"content":null,"encrypted_content":"e2")") +
      item(R"("type":"reasoning","summary":[])"));
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(std::get<transcript::Thinking>(blocks[0].body),
            (transcript::Thinking{.text = "", .signature = "e", .summaries = {"s"}}));
  EXPECT_EQ(std::get<transcript::Thinking>(blocks[1].body), (transcript::Thinking{.text = "t"}));
  EXPECT_EQ(std::get<transcript::RedactedThinking>(blocks[2].body).data, "e2");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"empty", 1}}));
}

TEST(Codex, CallsOfEveryKind) {
  const Collector collector = read(
      meta() + call("c1") +
      item(
          R"("type":"function_call","name":"t","namespace":"mcp__srv__","arguments":"oops","call_id":"c2")") +
      item(R"("type":"custom_tool_call","name":"apply_patch","input":"*** Begin","call_id":"c3")") +
      item(R"("type":"local_shell_call","call_id":"c4","action":{"command":["ls"]})") +
      item(R"("type":"web_search_call","id":"ws","action":{"query":"q"})") +
      item(R"("type":"tool_search_call","call_id":"c6","arguments":{"query":"q"})"));
  std::vector<std::string> seen;
  for (const auto& block : blocks_of(collector.conversations.at(0))) {
    const auto& made = std::get<ToolCall>(block.body);
    seen.push_back(made.id + " " + made.name + " " + canonical_json(made.input));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{
                      R"(c1 shell {"a":1})", R"(c2 mcp__srv__t "oops")",
                      R"(c3 apply_patch "*** Begin")", R"(c4 local_shell {"command":["ls"]})",
                      R"(ws web_search {"query":"q"})", R"(c6 tool_search {"query":"q"})"}));
}

TEST(Codex, ResultsInEveryFormThatTheyWereKeptIn) {
  EXPECT_EQ(result_of(R"("plain")").text, "plain");
  const ToolResult wrapped = result_of(R"("{\"output\":\"o\",\"metadata\":{\"exit_code\":2}}")");
  EXPECT_EQ(wrapped.text, "o");
  EXPECT_TRUE(wrapped.is_error);
  EXPECT_EQ(canonical_json(*wrapped.details), R"({"exit_code":2})");
  EXPECT_EQ(result_of(R"({"output":"o","metadata":{"exit_code":0}})").text, "o");
  const ToolResult refused = result_of(R"({"content":"no","success":false})");
  EXPECT_EQ(refused.text, "no");
  EXPECT_TRUE(refused.is_error);
  const ToolResult one = result_of(R"([{"type":"input_text","text":"x"}])");
  EXPECT_EQ(one.text, "x");
  EXPECT_FALSE(one.parts);
  const ToolResult two =
      result_of(R"([{"type":"input_text","text":"x"},{"type":"input_image","image_url":"u"}])");
  EXPECT_EQ(two.text, "x");
  EXPECT_EQ(two.parts->size(), 2u);
  EXPECT_TRUE(result_of(R"("Exit code: 1\nOutput:\nx")").is_error);
  EXPECT_FALSE(result_of(R"("Process exited with code 0\nOutput:\nExit code: 1")").is_error);
  EXPECT_TRUE(result_of(R"("exec command rejected by user")").is_error);
  EXPECT_TRUE(result_of(R"("patch rejected by user")").is_error);
  EXPECT_FALSE(result_of(R"("it says: patch rejected by user")").is_error);
}

TEST(Codex, ACompactionIsItsSummaryAndNeverItsHistory) {
  EXPECT_EQ(outline_of(meta() + user("hi") + answer("yo") +
                       line("compacted",
                            R"("message":"m","replacement_history":[{"type":"message",)"
                            R"("role":"user","content":[{"type":"input_text","text":"hi"}]}])") +
                       event("context_compacted")),
            "human #2: hi | assistant #3: yo compaction");
}

TEST(Codex, ARollbackBranchesOff) {
  EXPECT_EQ(outline_of(meta() + user("a") + answer("b", 2) + user("c", 3) + answer("d", 4) +
                       event("thread_rolled_back", R"("num_turns":1)", 5) + user("e", 6)),
            "human #2: a | assistant #3: b | human #4: c | assistant #5: d | human #7<#3: e");
  EXPECT_EQ(outline_of(meta() + user("a") + answer("b", 2) +
                       event("thread_rolled_back", R"("num_turns":1)", 5) + user("e", 6)),
            "human #2: a | assistant #3: b | human #5<: e");
}

TEST(Codex, AFailureIsToldOnce) {
  EXPECT_EQ(outline_of(meta() + user("hi") + event("error", R"("message":"no")") +
                       event("task_complete", R"("error":{"message":"no"})", 2)),
            "human #2: hi | assistant #3: *failure");
}

TEST(Codex, WhatComesLaterIsKept) {
  const Collector collector =
      read(meta() + line("hologram", R"("x":1)") + event("sneeze", R"("loud":true)") +
           item(R"("type":"smell","id":"i","of":"rain")"));
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(std::get<transcript::Unknown>(blocks[2].body).block_type, "smell");
  EXPECT_EQ(canonical_json(std::get<transcript::Unknown>(blocks[2].body).raw),
            R"({"of":"rain","type":"smell"})");
}

TEST(Codex, JsonThatNoValueHoldsIsKeptAsText) {
  const Collector collector =
      read(meta() +
           item(R"("type":"function_call","name":"n","call_id":"c","arguments":"{}","x":1e999)"));
  const auto blocks = blocks_of(collector.conversations.at(0));
  EXPECT_TRUE(std::get<transcript::Unknown>(blocks.at(0).body).raw_text);
}

}  // namespace
}  // namespace weft::formats
