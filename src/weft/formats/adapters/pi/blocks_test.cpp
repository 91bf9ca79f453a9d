// What the messages of pi and its own entries say.
#include <gtest/gtest.h>

#include "weft/formats/adapters/pi/pi_for_test.hpp"

namespace weft::formats {
namespace {

using pi::answer;
using pi::body_of;
using pi::by_model;
using pi::entry;
using pi::kHeader;
using pi::message;
using pi::read;
using pi::read_one;
using pi::user;

TEST(Pi, AMessageOfTooManyBlocksLosesTheRestAndSaysSo) {
  std::string content = "1";
  for (int i = 0; i < 20'000; ++i) content += ",1";
  const Collector collector =
      read(kHeader + message("a", "", R"("role":"assistant","content":[)" + content + "]"));
  EXPECT_EQ(blocks_of(collector.conversations.at(0)).size(), 20'000u);
  EXPECT_EQ(reasons_of(collector.skipped),
            (std::map<std::string, int>{{"too large: more than 20000 blocks", 1}}));
}

TEST(Pi, KeepsTheSignatureOfAThoughtButNotTheNameOfItsField) {
  const auto signed_so = [](std::string_view signature) {
    return body_of<transcript::Thinking>(
        by_model(R"({"type":"thinking","thinking":"t","thinkingSignature":)" +
                 std::string(signature) + "}"));
  };
  EXPECT_EQ(signed_so(R"("c2ln")").signature, "c2ln");
  EXPECT_EQ(signed_so(R"("{\"type\":\"reasoning\"}")").signature, R"({"type":"reasoning"})");
  EXPECT_EQ(signed_so(R"("reasoning_content")").signature, std::nullopt);
  EXPECT_EQ(signed_so(R"("")").signature, std::nullopt);
  EXPECT_EQ(signed_so("null").text, "t");
}

TEST(Pi, AThoughtMayBeASignatureOnly) {
  const auto thought =
      body_of<transcript::Thinking>(by_model(R"({"type":"thinking","thoughtSignature":"c2ln"})"));
  EXPECT_EQ(thought.text, "");
  EXPECT_EQ(thought.signature, "c2ln");
}

TEST(Pi, RedactedThinkingKeepsItsPayload) {
  EXPECT_EQ(
      body_of<transcript::RedactedThinking>(
          by_model(
              R"({"type":"thinking","thinking":"…","thinkingSignature":"b3A=","redacted":true})"))
          .data,
      "b3A=");
}

TEST(Pi, AThoughtThatTheAnswerBrokeOffInIsCutOff) {
  const std::vector<Block> blocks = blocks_of(read_one(
      kHeader +
      message("a", "",
              R"("role":"assistant","stopReason":"aborted","errorMessage":"stopped","content":[)"
              R"({"type":"thinking","thinking":"a"},{"type":"thinking","thinking":"b"}])")));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_FALSE(std::get<transcript::Thinking>(blocks[0].body).cut_off);
  EXPECT_TRUE(std::get<transcript::Thinking>(blocks[1].body).cut_off);
  EXPECT_EQ(std::get<transcript::Failure>(blocks[2].body).text, "stopped");
  EXPECT_EQ(blocks[2].index, 2u);
}

TEST(Pi, ArgumentsAreKeptWholeWhateverTheyAreCalled) {
  const auto call = body_of<transcript::ToolCall>(
      by_model(R"({"type":"toolCall","id":"c","name":"edit","thoughtSignature":"s",)"
               R"("arguments":{"file_path":"f","oldText":"a","newText":"b"}})"));
  EXPECT_EQ(call.id, "c");
  EXPECT_EQ(call.name, "edit");
  EXPECT_EQ(canonical_json(call.input), R"({"file_path":"f","newText":"b","oldText":"a"})");
}

TEST(Pi, ArgumentsThatAreJsonTextAreParsed) {
  const auto input_of = [](std::string_view arguments) {
    return canonical_json(
        body_of<transcript::ToolCall>(by_model(R"({"type":"toolCall","name":"x","arguments":)" +
                                               std::string(arguments) + "}"))
            .input);
  };
  EXPECT_EQ(input_of(R"("{\"path\":\"f\"}")"), R"({"path":"f"})");
  EXPECT_EQ(input_of(R"("{\"path\":\"f")"), R"("{\"path\":\"f")");
  EXPECT_EQ(input_of(R"("{\"n\":1e999}")"), R"("{\"n\":1e999}")");
  EXPECT_EQ(input_of("null"), "null");
}

TEST(Pi, AResultHasItsCallItsNameAndItsDetails) {
  const auto result = body_of<transcript::ToolResult>(
      kHeader + message("r", "",
                        R"("role":"toolResult","toolCallId":"c","toolName":"bash",)"
                        R"("content":[{"type":"text","text":"out"}],)"
                        R"("details":{"exitCode":2},"isError":true)"));
  EXPECT_EQ(result.call_id, "c");
  EXPECT_EQ(result.name, "bash");
  EXPECT_EQ(result.text, "out");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.parts, std::nullopt);
  EXPECT_EQ(canonical_json(result.details.value()), R"({"exitCode":2})");
}

TEST(Pi, AResultWithAnImageKeepsItsParts) {
  const auto result = body_of<transcript::ToolResult>(
      kHeader + message("r", "",
                        R"("role":"toolResult","toolCallId":"c","toolName":"read",)"
                        R"("content":[{"type":"text","text":"out"},)"
                        R"({"type":"image","data":"aQ==","mimeType":"image/png"}])"));
  EXPECT_EQ(result.text, "out");
  EXPECT_EQ(result.parts.value().size(), 2u);
}

TEST(Pi, AnImageOfAPersonIsAnAttachment) {
  const Conversation session =
      read_one(kHeader + message("u", "",
                                 R"("role":"user","content":[{"type":"text","text":"see"},)"
                                 R"({"type":"image","data":"aQ==","mimeType":"image/png"}])"));
  EXPECT_EQ(outline(session), "human u: see attachment");
  const auto& image = std::get<transcript::Attachment>(session.turns[0].blocks[1].body);
  EXPECT_EQ(image.kind, "image");
  EXPECT_EQ(image.mime, "image/png");
  EXPECT_EQ(image.data, "aQ==");
  EXPECT_EQ(session.turns[0].blocks[1].author, Author::human);
}

TEST(Pi, ACommandIsThePersonsAndItsOutputTheProgramsInput) {
  const Conversation session = read_one(
      kHeader + user("u", "", "first") +
      message("b", "u", R"("role":"bashExecution","command":"ls","output":"x\n","exitCode":3)") +
      user("v", "b", "then"));
  EXPECT_EQ(outline(session), "human u: first !ls | assistant b: *text | human v: then");
  EXPECT_EQ(std::get<transcript::Text>(session.turns[1].blocks[0].body).text,
            "x\nCommand exited with code 3");
}

TEST(Pi, ACommandAfterAnAnswerOpensTwoTurnsOfDifferentNames) {
  EXPECT_EQ(outline(read_one(kHeader + answer("a", "", "b") +
                             message("b", "a",
                                     R"("role":"bashExecution","command":"ls","output":"",)"
                                     R"("exitCode":0,"excludeFromContext":true)"))),
            "assistant a: b | human b: !!ls | assistant b.1: *(no output)");
}

TEST(Pi, SaysHowACommandEnded) {
  const auto output = [](std::string_view members) {
    const Conversation session = read_one(
        kHeader +
        message("b", "", R"("role":"bashExecution","command":"x",)" + std::string(members)));
    return std::get<transcript::Text>(session.turns.at(1).blocks.at(0).body).text;
  };
  EXPECT_EQ(output(R"("output":"a","cancelled":true)"), "a\n(command cancelled)");
  EXPECT_EQ(output(R"("output":"a","truncated":true,"fullOutputPath":"/t/f")"),
            "a\n[Output truncated. Full output: /t/f]");
}

TEST(Pi, ACompactionIsOneBlockAndItsTailIsNotToldAgain) {
  const Conversation session =
      read_one(kHeader + user("u", "", "a") +
               entry("compaction", "c", "u",
                     R"("summary":"all","retainedTail":[{"role":"user","content":"a"}])") +
               answer("d", "c", "e"));
  EXPECT_EQ(outline(session), "human u: a | assistant c: compaction e");
  EXPECT_EQ(std::get<transcript::Compaction>(session.turns[1].blocks[0].body).summary, "all");
  EXPECT_EQ(session.turns[1].blocks[0].author, Author::model);
}

TEST(Pi, ABranchSummaryStandsOnTheNewBranch) {
  EXPECT_EQ(outline(read_one(kHeader + user("u", "", "a") + answer("b", "u", "b") +
                             user("v", "b", "c") + answer("w", "v", "d") +
                             entry("branch_summary", "x", "b", R"("summary":"it was so")") +
                             user("y", "x", "e"))),
            "human u: a | assistant b: b | human v: c | assistant w: d | assistant x<b: summary | "
            "human y: e");
}

TEST(Pi, SummariesThatAnExtensionWroteAreTheProgramsOwn) {
  EXPECT_EQ(outline(read_one(kHeader + user("u", "", "a") +
                             entry("compaction", "c", "u", R"("summary":"s","fromHook":true)") +
                             message("d", "c", R"("role":"branchSummary","summary":"s")") +
                             message("e", "d", R"("role":"compactionSummary","summary":"s")"))),
            "human u: a | assistant c: *compaction summary compaction");
}

TEST(Pi, WhatExtensionsPutInIsTheProgramsBeforeTheFirstTurnASystemTurn) {
  EXPECT_EQ(
      outline(read_one(
          kHeader + entry("custom_message", "c", "", R"("content":"mind")") +
          message("s", "c", R"("role":"system","content":"rules")") + user("u", "s", "a") +
          message("h", "u", R"("role":"hookMessage","content":"psst")") + answer("b", "h", "c"))),
      "system c: *mind *rules | human u: a | assistant h: *psst c");
}

TEST(Pi, WhatTheHarnessWroteInAPersonsPlaceIsItsOwn) {
  EXPECT_EQ(
      outline(read_one(
          kHeader + message("u", "", R"("role":"user","content":"go on","attribution":"agent")") +
          message("v", "u", R"("role":"user","content":"go on","synthetic":true)") +
          message("w", "v", R"("role":"user","content":"go on","attribution":"user")"))),
      "system u: *go on *go on | human w: go on");
}

TEST(Pi, ASubagentsBeginningListsItsTools) {
  const Conversation session =
      read_one(kHeader + entry("session_init", "i", "", R"("task":"t","tools":["read"])"));
  EXPECT_EQ(session.facts.tools, std::vector<std::string>{"read"});
  EXPECT_TRUE(session.turns.empty());
}

TEST(Pi, TheSystemPromptOfASubagentIsTheProgramsInput) {
  EXPECT_EQ(outline(read_one(kHeader + entry("session_init", "i", "", R"("systemPrompt":"be")") +
                             user("u", "i", "a"))),
            "system i: *be | human u: a");
}

TEST(Pi, AnErrorWithNothingSaidIsAFailure) {
  const Conversation session =
      read_one(kHeader +
               message("a", "",
                       R"("role":"assistant","content":[],"errorMessage":"429",)"
                       R"("stopReason":"error")") +
               message("b", "a", R"("role":"assistant","content":[],"stopReason":"aborted")"));
  EXPECT_EQ(outline(session), "assistant a: *failure *failure");
  EXPECT_EQ(std::get<transcript::Failure>(session.turns[0].blocks[0].body).text, "429");
}

}  // namespace
}  // namespace weft::formats
