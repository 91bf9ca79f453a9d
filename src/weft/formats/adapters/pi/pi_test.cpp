#include <gtest/gtest.h>

#include "weft/formats/adapters/pi/pi_for_test.hpp"
#include "weft/formats/adapters/pi/tree.hpp"

namespace weft::formats {
namespace {

using pi::answer;
using pi::entry;
using pi::kHeader;
using pi::message;
using pi::user;
using transcript::Author;
using transcript::Block;
using transcript::Collector;
using transcript::Conversation;
using transcript::Origin;

const Adapter& adapter() { return *find_adapter("pi"); }

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("pi", bytes, info);
}

Conversation read_one(std::string_view bytes, const SourceInfo& info = {}) {
  const Collector collector = read(bytes, info);
  EXPECT_EQ(collector.conversations.size(), 1u);
  return collector.conversations.empty() ? Conversation() : collector.conversations[0];
}

// The body of the only block.
template <class T>
T body_of(std::string_view bytes) {
  const std::vector<Block> blocks = blocks_of(read_one(bytes));
  EXPECT_EQ(blocks.size(), 1u);
  const T* body = blocks.empty() ? nullptr : std::get_if<T>(&blocks[0].body);
  EXPECT_NE(body, nullptr) << (blocks.empty() ? "none" : kind_name(blocks[0].body));
  return body == nullptr ? T() : *body;
}

std::string said_by_model(std::string_view block) {
  return kHeader +
         message("a", "",
                 R"("role":"assistant","model":"m","content":[)" + std::string(block) + "]");
}

TEST(Pi, TakesItsNameAndItsFolderFromTheHeader) {
  const Conversation session = read_one(kHeader + user("u", "", "hi"), {.project = "p"});
  EXPECT_EQ(session.heading.format, "pi");
  EXPECT_EQ(session.heading.program, "pi");
  EXPECT_EQ(session.heading.provider, "");
  EXPECT_EQ(session.heading.session_id, "s1");
  EXPECT_EQ(session.heading.source, "primary");
  EXPECT_EQ(session.facts.cwd, "/w/p");
  EXPECT_EQ(session.facts.project, "p");
}

TEST(Pi, NamesASessionWithoutHeaderByItsFirstRecord) {
  const Conversation session = read_one(user("u", "", "hi"));
  EXPECT_TRUE(session.heading.session_id.starts_with("b3:"));
  EXPECT_EQ(session.heading.session_id.size(), 19u);
  EXPECT_EQ(outline(session), "human u: hi");
}

TEST(Pi, ASessionThatOnlyHasAHeaderIsAConversationWithoutTurns) {
  const Collector read_so_far = read(kHeader);
  ASSERT_EQ(read_so_far.conversations.size(), 1u);
  EXPECT_TRUE(read_so_far.conversations[0].turns.empty());
}

TEST(Pi, WordsWithNothingBetweenAreOneTurnAndAllElseUntilTheNextIsAnother) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + user("u2", "u1", "b") +
                             answer("a1", "u2", "c") +
                             message("r1", "a1", R"("role":"toolResult","content":"d")") +
                             answer("a2", "r1", "e") + user("u3", "a2", "f"))),
            "human u1: a b | assistant a1: c result e | human u3: f");
}

TEST(Pi, AnEntryThatFollowsAnotherThanTheLastBeginsABranch) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + answer("a1", "u1", "b") +
                             user("u2", "a1", "c") + answer("a2", "u2", "d") +
                             user("u3", "a1", "e") + answer("a3", "u3", "f"))),
            "human u1: a | assistant a1: b | human u2: c | assistant a2: d | human u3<a1: e | "
            "assistant a3: f");
}

TEST(Pi, AnAnswerTriedAgainIsATurnOfItsOwnThatFollowsThePrompt) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + answer("a1", "u1", "b") +
                             answer("a2", "u1", "c"))),
            "human u1: a | assistant a1: b | assistant a2<u1: c");
}

TEST(Pi, APromptWordedAnewDoesNotJoinTheOldOne) {
  EXPECT_EQ(outline(read_one(kHeader + user("u0", "", "a") + answer("a0", "u0", "b") +
                             user("u1", "a0", "c") + user("u2", "a0", "d"))),
            "human u0: a | assistant a0: b | human u1: c | human u2<a0: d");
}

TEST(Pi, ABranchWithinTheTurnBeforeItNeedsNoParent) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + answer("a1", "u1", "b") +
                             answer("a2", "a1", "c") + user("u2", "a1", "d"))),
            "human u1: a | assistant a1: b c | human u2: d");
}

TEST(Pi, ASecondRootIsATurnOfItsOwn) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") +
                             entry("message", "u2", "",
                                   R"("parentId":null,"message":{"role":"user","content":"b"})"))),
            "human u1: a | human u2<: b");
}

TEST(Pi, EntriesThatTellNothingAreBridged) {
  EXPECT_EQ(outline(read_one(kHeader + entry("model_change", "m0", "", R"("modelId":"x")") +
                             user("u1", "m0", "a") + entry("label", "l1", "u1", "") +
                             answer("a1", "l1", "b") + entry("custom", "c1", "a1", "") +
                             user("u2", "a1", "c") + user("u3", "c1", "d"))),
            "human u1: a | assistant a1: b | human u2: c | human u3<a1: d");
}

TEST(Pi, AnUnknownParentMeansTheLineBefore) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "s1", "a") + answer("a1", "nobody", "b") +
                             user("u2", "call_1", "c"))),
            "human u1: a | assistant a1: b | human u2: c");
}

TEST(Pi, RemembersTheEndsOfTurnsLongerThanTheEntriesWithin) {
  std::string bytes =
      kHeader + user("u1", "", "a") + answer("middle", "u1", "b") + answer("end", "middle", "c");
  std::string last = "end";
  for (int turn = 0; turn < 20; ++turn) {
    const std::string number = std::to_string(turn);
    bytes += user("u-" + number, last, "x");
    last = "u-" + number;
    for (std::size_t i = 0; i < pi::kRecent / 10; ++i) {
      const std::string id = "a-" + number + "-" + std::to_string(i);
      bytes += answer(id, last, "y");
      last = id;
    }
  }
  const Conversation session = read_one(bytes + user("v1", "end", "d") + user("v2", "middle", "e"));
  ASSERT_EQ(session.turns.size(), 2u + 40u + 1u);
  EXPECT_EQ(session.turns.back().head.parent, "middle");
  EXPECT_EQ(session.turns.back().blocks.size(), 2u);  // where "middle" stood is forgotten
}

TEST(Pi, WhatItRemembersStaysSmallHoweverLongTheSession) {
  const auto reader = adapter().open({});
  Collector sink;
  std::string last;
  for (int i = 0; i < 2000; ++i) {
    const std::string id = "entry-" + std::to_string(i);
    const std::string line = i % 2 == 0 ? user(id, last, "a") : answer(id, last, "b");
    reader->read({.text = std::string_view(line).substr(0, line.size() - 1)}, sink);
    last = id;
  }
  EXPECT_LT(reader->save().size(), 20'000u);
}

TEST(Pi, TheFirstVersionHasNoIdsSoThatRecordsAreCounted) {
  const Conversation session = read_one(
      R"({"type":"session","id":"s1","timestamp":"2025-01-01T00:00:00Z","modelId":"m1"})"
      "\n"
      R"({"type":"message","message":{"role":"user","content":"a"}})"
      "\n"
      R"({"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"b"}]}})"
      "\n");
  EXPECT_EQ(outline(session), "human #2: a | assistant #3: b");
  EXPECT_TRUE(session.turns[0].head.counted);
  EXPECT_EQ(session.turns[1].blocks[0].source_id, "#3");
  EXPECT_EQ(session.turns[1].blocks[0].model, "m1");
}

TEST(Pi, EachAnswerIsAStepByItsResponseOrItsEntry) {
  const std::vector<Block> blocks = blocks_of(
      read_one(kHeader + answer("a1", "", "b") +
               message("a2", "a1", R"("role":"assistant","responseId":"msg_2","content":"c")") +
               message("r", "a2", R"("role":"toolResult","content":"d")")));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].message_id, "a1");
  EXPECT_EQ(blocks[1].message_id, "msg_2");
  EXPECT_EQ(blocks[2].message_id, std::nullopt);
}

TEST(Pi, TimesAreTheEntrysElseTheMessages) {
  const std::vector<Block> blocks = blocks_of(read_one(
      kHeader +
      entry(
          "message", "u", "",
          R"("timestamp":"2026-01-01T00:00:01.500Z","message":{"role":"user","content":"a","timestamp":5})") +
      message("a", "u", R"("role":"assistant","content":"b","timestamp":1767225602000)") +
      answer("c", "a", "c")));
  EXPECT_EQ(blocks.at(0).recorded, 1767225601500);
  EXPECT_EQ(blocks.at(1).recorded, 1767225602000);
  EXPECT_EQ(blocks.at(2).recorded, std::nullopt);
  EXPECT_EQ(blocks.at(0).start, std::nullopt);
}

TEST(Pi, WhoSpeaksIsTheMessagesModelElseTheOneChosenLast) {
  const std::string change = entry("model_change", "m", "", R"("provider":"p","modelId":"chosen")");
  const std::string omp = entry("model_change", "n", "", R"("model":"ollama/llama/3")");
  const std::string nameless =
      message("x", "", R"("role":"assistant","content":[{"type":"text","text":"b"}])");
  EXPECT_EQ(blocks_of(read_one(kHeader + change + answer("a", "", "b"))).at(0).model, "m");
  EXPECT_EQ(blocks_of(read_one(kHeader + change + nameless)).at(0).model, "chosen");
  EXPECT_EQ(blocks_of(read_one(kHeader + omp + nameless)).at(0).model, "llama/3");
  EXPECT_EQ(blocks_of(read_one(kHeader + nameless, {.model = "given"})).at(0).model, "given");
  EXPECT_EQ(blocks_of(read_one(kHeader + user("u", "", "a"), {.model = "given"})).at(0).model,
            std::nullopt);
}

TEST(Pi, AModelChosenForAHelperDoesNotSpeak) {
  const std::string helper = entry("model_change", "n", "", R"("model":"a/small","role":"smol")");
  const std::string nameless =
      message("x", "", R"("role":"assistant","content":[{"type":"text","text":"b"}])");
  EXPECT_EQ(blocks_of(read_one(kHeader + helper + nameless)).at(0).model, std::nullopt);
}

TEST(Pi, AMessageOfTooManyBlocksLosesTheRestAndSaysSo) {
  std::string content = "1";
  for (int i = 0; i < 100'000; ++i) content += ",1";
  const Collector collector =
      read(kHeader + message("a", "", R"("role":"assistant","content":[)" + content + "]"));
  EXPECT_EQ(blocks_of(collector.conversations.at(0)).size(), 100'000u);
  EXPECT_EQ(reasons_of(collector.skipped),
            (std::map<std::string, int>{{"too large: more than 100000 blocks", 1}}));
}

TEST(Pi, KeepsTheSignatureOfAThoughtButNotTheNameOfItsField) {
  const auto signed_so = [](std::string_view signature) {
    return body_of<transcript::Thinking>(
        said_by_model(R"({"type":"thinking","thinking":"t","thinkingSignature":)" +
                      std::string(signature) + "}"));
  };
  EXPECT_EQ(signed_so(R"("c2ln")").signature, "c2ln");
  EXPECT_EQ(signed_so(R"("{\"type\":\"reasoning\"}")").signature, R"({"type":"reasoning"})");
  EXPECT_EQ(signed_so(R"("reasoning_content")").signature, std::nullopt);
  EXPECT_EQ(signed_so(R"("")").signature, std::nullopt);
  EXPECT_EQ(signed_so("null").text, "t");
}

TEST(Pi, AThoughtMayBeASignatureOnly) {
  const auto thought = body_of<transcript::Thinking>(
      said_by_model(R"({"type":"thinking","thoughtSignature":"c2ln"})"));
  EXPECT_EQ(thought.text, "");
  EXPECT_EQ(thought.signature, "c2ln");
}

TEST(Pi, RedactedThinkingKeepsItsPayload) {
  EXPECT_EQ(
      body_of<transcript::RedactedThinking>(
          said_by_model(
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
      said_by_model(R"({"type":"toolCall","id":"c","name":"edit","thoughtSignature":"s",)"
                    R"("arguments":{"file_path":"f","oldText":"a","newText":"b"}})"));
  EXPECT_EQ(call.id, "c");
  EXPECT_EQ(call.name, "edit");
  EXPECT_EQ(canonical_json(call.input), R"({"file_path":"f","newText":"b","oldText":"a"})");
}

TEST(Pi, ArgumentsThatAreJsonTextAreParsed) {
  const auto input_of = [](std::string_view arguments) {
    return canonical_json(body_of<transcript::ToolCall>(
                              said_by_model(R"({"type":"toolCall","name":"x","arguments":)" +
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

TEST(Pi, UsageIsTheSumOfAllThatWasSpent) {
  const Conversation session =
      read_one(kHeader +
               message("a", "",
                       R"("role":"assistant","content":"x","usage":{"input":1,"output":2,)"
                       R"("cacheRead":3,"cacheWrite":4,"cost":{"total":0.5}})") +
               message("b", "",
                       R"("role":"assistant","content":"x","usage":{"input":10,)"
                       R"("cache":{"read":30,"write":40}})") +
               message("c", "",
                       R"("role":"assistant","content":"x","usage":{"output":-5,)"
                       R"("cacheCreation":400})") +
               entry("compaction", "d", "", R"("summary":"s","usage":{"input":100})"));
  EXPECT_EQ(session.facts.usage, (transcript::Usage{111, 2, 33, 444}));
}

TEST(Pi, UsageBeyondAllBoundsStaysAtTheBound) {
  const std::string most = R"("usage":{"input":9223372036854775807})";
  const Conversation session =
      read_one(kHeader + message("a", "", R"("role":"assistant","content":"x",)" + most) +
               message("b", "", R"("role":"assistant","content":"x",)" + most));
  EXPECT_EQ(session.facts.usage.value().input, 2 * 1'000'000'000'000);
}

TEST(Pi, TheTitleIsTheLastNameGiven) {
  const std::string line = R"({"type":"title","v":1,"title":"first","pad":"   "})"
                           "\n";
  EXPECT_EQ(read_one(line + kHeader).facts.title, "first");
  EXPECT_EQ(read_one(line + kHeader + entry("session_info", "i", "", R"("name":"second")") +
                     entry("title_change", "j", "", R"("title":"third")"))
                .facts.title,
            "third");
  EXPECT_EQ(read_one(line + kHeader + entry("session_info", "i", "", "")).facts.title, "");
  EXPECT_EQ(read_one(kHeader).facts.title, std::nullopt);
}

TEST(Pi, ATitleWithoutASessionIsReported) {
  const Collector collector = read(R"({"type":"title","v":1,"title":"first"})");
  EXPECT_TRUE(collector.conversations.empty());
  EXPECT_EQ(reasons_of(collector.skipped), (std::map<std::string, int>{{"no header", 1}}));
}

TEST(Pi, ToolsAreThoseActivatedLast) {
  EXPECT_EQ(read_one(kHeader +
                     entry("active_tools_change", "t", "", R"("activeToolNames":["read","bash"])"))
                .facts.tools,
            (std::vector<std::string>{"read", "bash"}));
}

TEST(Pi, GoesOnFromTheSessionThatTheHeaderNames) {
  const auto origins = [](std::string_view member) {
    return read_one(R"({"type":"session","version":3,"id":"s1",)" + std::string(member) + "}")
        .origins;
  };
  const std::vector<Origin> from = {{Origin::Kind::continued, "abc"}};
  EXPECT_EQ(origins(R"("parentSession":"/s/--w--/2026-01-01T00-00-00-000Z_abc.jsonl")"), from);
  EXPECT_EQ(origins(R"("parentSession":"C:\\s\\2026-01-01T00-00-00-000Z_abc.jsonl")"), from);
  EXPECT_EQ(origins(R"("parentSession":"abc")"), from);
  EXPECT_EQ(origins(R"("branchedFrom":"/s/abc.jsonl")"), from);
  EXPECT_TRUE(origins(R"("parentSession":"s1")").empty());
  EXPECT_TRUE(origins(R"("parentSession":"")").empty());
}

TEST(Pi, InASubagentsFolderNobodyIsHuman) {
  const Conversation session =
      read_one(kHeader + user("u", "", "look") + answer("a", "u", "seen"),
               {.name = "Scout.jsonl", .directory = "/s/--w--/2026-07-24T06-21-03-508Z_parent1"});
  EXPECT_EQ(outline(session), "system u: *look | assistant a: seen");
  EXPECT_EQ(session.origins,
            (std::vector<Origin>{
                {.kind = Origin::Kind::spawned, .session_id = "parent1", .agent = "Scout"}}));
}

TEST(Pi, EveryRecordThatIsNotMappedHasAReason) {
  const Collector collector = read(
      kHeader + entry("model_change", "m", "", "") + entry("thinking_level_change", "t", "", "") +
      entry("custom", "c", "", "") + entry("label", "l", "", "") +
      entry("mode_change", "o", "", "") + entry("credential_pin", "p", "", R"("hash":"h")") +
      user("u", "", "a") + user("u", "", "a") + kHeader +
      message("e", "", R"("role":"assistant","content":[])") + "{\n" + "7\n" +
      R"({"type":"session","id":"s2"})"
      "\n");
  EXPECT_EQ(reasons_of(collector.skipped),
            (std::map<std::string, int>{{"internal", 5},
                                        {"label", 1},
                                        {"duplicate", 2},
                                        {"empty", 1},
                                        {"malformed: a second header", 1},
                                        {"malformed: not an object", 1},
                                        {"malformed: the text ends too early", 1}}));
}

TEST(Pi, AnIdGivenTwiceIsAPlaceOnlyOnce) {
  const std::vector<Block> blocks =
      blocks_of(read_one(kHeader + answer("a", "", "b") + answer("a", "", "c")));
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].source_id, "a");
  EXPECT_EQ(blocks[1].source_id, "#3");
}

TEST(Pi, AnEntryOfUnknownTypeIsKeptWithoutWhatNamesItsPlace) {
  const auto unknown = body_of<transcript::Unknown>(
      kHeader + entry("weather", "w", "p", R"("timestamp":"2026-01-01T00:00:00Z","sky":"grey")"));
  EXPECT_EQ(unknown.block_type, "weather");
  EXPECT_EQ(canonical_json(unknown.raw), R"({"sky":"grey","type":"weather"})");
}

TEST(Pi, BlocksAndRolesThatAreUnknownAreKeptWhole) {
  EXPECT_EQ(canonical_json(
                body_of<transcript::Unknown>(said_by_model(R"({"type":"hologram","n":1})")).raw),
            R"({"n":1,"type":"hologram"})");
  EXPECT_EQ(
      canonical_json(
          body_of<transcript::Unknown>(kHeader + message("x", "", R"("role":"oracle","n":1)")).raw),
      R"({"n":1,"role":"oracle"})");
}

TEST(Pi, WhatNoValueCanHoldIsKeptAsText) {
  const std::string line = message("a", "", R"("role":"toolResult","details":{"n":1e999})");
  EXPECT_EQ(body_of<transcript::Unknown>(kHeader + line).raw_text, line.substr(0, line.size() - 1));
}

TEST(Pi, AnEntryGluedToATornLineIsTaken) {
  const Collector collector = read(kHeader + R"({"type":"message","id":"x","mess)" +
                                   user("u", "", "still here") + answer("a", "u", "b"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human u: still here | assistant a: b");
  EXPECT_EQ(collector.skipped.size(), 1u);
}

TEST(Pi, ABlockWithinATornLineIsNoEntry) {
  const Collector collector =
      read(kHeader + R"({"type":"message","message":{"content":[{"type":"text","text":"a"})"
                     "\n");
  EXPECT_TRUE(collector.conversations.at(0).turns.empty());
  EXPECT_EQ(collector.skipped.size(), 1u);
}

TEST(Pi, KnowsItsHeaderHoweverLittleIsInIt) {
  const auto sure = [](std::string_view head) { return adapter().recognises(head); };
  EXPECT_EQ(sure(kHeader), Confidence::yes);
  EXPECT_EQ(sure(R"({"type":"session","id":"s","version":3})"), Confidence::yes);
  EXPECT_EQ(sure(R"({"type":"title","v":1,"title":""})"
                 "\n" +
                 kHeader),
            Confidence::yes);
  EXPECT_EQ(sure("{\"torn\n" + kHeader), Confidence::yes);
  EXPECT_EQ(sure(R"({"type":"session","id":"s"})"), Confidence::no);
  EXPECT_EQ(sure(R"({"type":"session","version":3})"), Confidence::no);
  EXPECT_EQ(sure(R"({"type":"user","uuid":"s","sessionId":"t"})"
                 "\n" +
                 kHeader),
            Confidence::no);
  EXPECT_EQ(sure(""), Confidence::no);
}

TEST(Pi, DoesNotTakeTheLookAlikeForItsOwn) {
  EXPECT_EQ(
      adapter().recognises(
          R"({"type":"session","version":0,"id":"e","createdAt":1,"cwd":"/p","delegationDepth":0})"),
      Confidence::no);
}

TEST(Pi, SaysWhereItsSessionsLie) {
  const auto folders = [](std::map<std::string, std::string, std::less<>> variables) {
    return adapter().folders([&](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
  };
  using Folders = std::vector<std::string>;
  EXPECT_EQ(folders({{"HOME", "/h"}}),
            (Folders{"/h/.pi/agent/sessions", "/h/.omp/agent/sessions"}));
  EXPECT_EQ(folders({{"PI_CODING_AGENT_DIR", "/a"}}), (Folders{"/a/sessions"}));
  EXPECT_EQ(folders({{"PI_CODING_AGENT_DIR", "/a"}, {"PI_CODING_AGENT_SESSION_DIR", "/b"}}),
            (Folders{"/b"}));
  EXPECT_EQ(folders({}), Folders());
}

TEST(Pi, TheProjectIsTheLastOfTheFolderThatItRanIn) {
  EXPECT_EQ(adapter().project("/s/--home-me-x--/1.jsonl", kHeader), "p");
  EXPECT_EQ(adapter().project("/s/--home-me-x--/1.jsonl", ""), "home-me-x");
  EXPECT_EQ(adapter().project("1.jsonl", ""), "");
}

TEST(Pi, LeavesCopiesAlone) {
  EXPECT_EQ(adapter().leaves("/s/a.jsonl"), std::nullopt);
  EXPECT_EQ(adapter().leaves("/s/a.jsonl.bak"), "backup");
  EXPECT_EQ(adapter().leaves("/s/a.jsonl.lock"), "sidecar");
  EXPECT_EQ(adapter().leaves("/s/a.checkpoint.1.jsonl"), "checkpoint");
}

}  // namespace
}  // namespace weft::formats
