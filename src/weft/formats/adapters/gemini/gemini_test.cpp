// What is peculiar to the chats of Gemini CLI.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/formats/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Collector;
using transcript::Conversation;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Usage;
using Counts = std::map<std::string, int>;

const std::string kHeader =
    R"({"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00Z","kind":"main"})";

std::string log_of(const std::vector<std::string>& lines) {
  std::string all = kHeader + "\n";
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

std::string said(std::string_view id, std::string_view type, std::string_view text,
                 std::string_view more = "") {
  return std::string("{\"id\":\"")
      .append(id)
      .append("\",\"timestamp\":\"2026-01-01T00:00:01Z\",\"type\":\"")
      .append(type)
      .append("\",\"content\":\"")
      .append(text)
      .append("\"")
      .append(more)
      .append("}");
}

Collector read(const std::vector<std::string>& lines, const SourceInfo& info = {}) {
  return read_with("gemini", log_of(lines), info);
}

std::string outline_of(const std::vector<std::string>& lines) {
  const Collector collector = read(lines);
  return collector.conversations.empty() ? "" : outline(collector.conversations[0]);
}

std::string call(std::string_view id, std::string_view status, std::string_view more = "") {
  return std::string("{\"id\":\"")
      .append(id)
      .append(R"(","name":"ls","args":{"path":"."},"status":")")
      .append(status)
      .append("\"")
      .append(more)
      .append("}");
}

std::string response(std::string_view id, std::string_view output) {
  return std::string(R"({"functionResponse":{"id":")")
      .append(id)
      .append(R"(","name":"ls","response":{"output":")")
      .append(output)
      .append("\"}}}");
}

TEST(Gemini, ADocumentIsReadLikeALog) {
  const std::string bytes =
      read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/gemini/document.json")
          .value();
  const Collector collector = read_with("gemini", bytes);
  const Conversation& chat = collector.conversations.at(0);
  EXPECT_EQ(chat.heading.session_id, "7d3c1f52-0f5e-4b1a-9a57-2f4a1c9be001");
  EXPECT_EQ(chat.heading.program, "gemini-cli");
  EXPECT_EQ(chat.heading.provider, "google");
  EXPECT_EQ(outline(chat),
            "system d0: *Loaded one extension. | human d1: Which trees are there? | "
            "assistant d2: thinking thinking I look into the list. call result call result "
            "An oak and an elm. *failure");
  // Two answers; 7 tokens were thoughts of the first.
  EXPECT_EQ(chat.facts.usage, (Usage{100 + 130, 10 + 7 + 5, 40 + 100, 0}));
  EXPECT_EQ(chat.facts.title, "Which trees are there?");
  EXPECT_EQ(chat.facts.updated_at, parse_iso8601("2026-02-01T09:02:00Z"));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 2}}));  // hash, start

  const std::vector<Block> blocks = blocks_of(chat);
  const auto& thought = std::get<transcript::Thinking>(blocks.at(2).body);
  EXPECT_TRUE(thought.text.empty());
  EXPECT_EQ(thought.summaries, std::vector<std::string>{"Finding the list\nThere must be one."});
  EXPECT_EQ(blocks.at(2).start, parse_iso8601("2026-02-01T09:00:03Z"));
  EXPECT_EQ(blocks.at(2).model, "gemini-a");
  EXPECT_EQ(blocks.at(2).message_id, "d2");
  EXPECT_EQ(blocks.at(5).message_id, "d2");
  const auto& read_one = std::get<ToolResult>(blocks.at(6).body);
  EXPECT_EQ(read_one.text, "oak\nelm");
  EXPECT_FALSE(read_one.is_error);
  EXPECT_EQ(canonical_json(*read_one.details), R"({"resultDisplay":"2 lines"})");
  EXPECT_EQ(blocks.at(6).recorded, parse_iso8601("2026-02-01T09:00:06Z"));
  EXPECT_FALSE(blocks.at(6).message_id);
  const auto& failed = std::get<ToolResult>(blocks.at(8).body);
  EXPECT_TRUE(failed.is_error);
  EXPECT_FALSE(failed.details);  // what was shown is what it says
  EXPECT_EQ(blocks.at(9).model, "gemini-b");
}

TEST(Gemini, ADocumentOnOneLineIsTheSame) {
  const Collector collector = read_with("gemini", R"({"messages":[)" + said("m1", "user", "Hi.") +
                                                      "," + said("m2", "gemini", "Ho.") +
                                                      R"(],"sessionId":"s","projectHash":"p"})");
  EXPECT_EQ(outline(collector.conversations.at(0)), "human m1: Hi. | assistant m2: Ho.");
  EXPECT_EQ(collector.conversations[0].heading.session_id, "s");
}

TEST(Gemini, AMessageThatGrowsTellsOnlyWhatIsNew) {
  const std::string running = ",\"toolCalls\":[" + call("c1", "executing") + "]";
  const std::string done = ",\"toolCalls\":[" +
                           call("c1", "success", ",\"result\":[" + response("c1", "a") + "]") +
                           "," + call("c2", "validating") + "]";
  const Collector collector =
      read({said("m1", "user", "Hi."), said("m2", "gemini", "Look."),
            said("m2", "gemini", "Look.", running), said("m2", "gemini", "Look.", done)});
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human m1: Hi. | assistant m2: Look. call result call");
  EXPECT_TRUE(collector.skipped.empty());
  const std::vector<Block> blocks = blocks_of(collector.conversations[0]);
  EXPECT_EQ(blocks.at(3).index, blocks.at(2).index + 1);
  EXPECT_EQ(blocks.at(4).index, blocks.at(2).index + 2);
}

TEST(Gemini, AMessageWrittenAgainAsItWasIsADuplicate) {
  const Collector collector = read({said("m1", "user", "Hi."), said("m1", "user", "Hi."),
                                    said("m2", "gemini", "Ho."), said("m2", "gemini", "Ho.")});
  EXPECT_EQ(outline(collector.conversations.at(0)), "human m1: Hi. | assistant m2: Ho.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 2}}));
}

TEST(Gemini, WhatChangedIsToldAgainInItsPlace) {
  const Collector collector =
      read({said("m1", "user", "Hi."), said("m2", "gemini", "Ho"), said("m2", "gemini", "Ho ho.")});
  const std::vector<Block> blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[1].source_id, blocks[2].source_id);
  EXPECT_EQ(blocks[1].index, blocks[2].index);
}

TEST(Gemini, AMessageThatGrowsLateGoesOnInItsOwnTurn) {
  const std::string done = ",\"toolCalls\":[" + call("c1", "cancelled") + "]";
  EXPECT_EQ(outline_of({said("m1", "user", "Hi."), said("m2", "gemini", "Look."),
                        said("m3", "user", "Wait."), said("m2", "gemini", "Look.", done),
                        said("m4", "gemini", "Yes?")}),
            "human m1: Hi. | assistant m2: Look. call result | human m3: Wait. | "
            "assistant m4: Yes?");
}

TEST(Gemini, AMessageThatWasEmptyAtFirstStandsWhereItFirstSaysSomething) {
  const std::string running = ",\"toolCalls\":[" + call("c1", "executing") + "]";
  EXPECT_EQ(outline_of({said("m0", "gemini", ""), said("m1", "user", "Hi."),
                        said("m2", "gemini", ""), said("m3", "info", "Psst."),
                        said("m2", "gemini", "", running), said("m0", "gemini", "Late.")}),
            "human m1: Hi. | assistant m3: *Psst. call Late.");
}

TEST(Gemini, TokensAreCountedOnceForEachMessage) {
  const std::string tokens = R"(,"tokens":{"input":10,"output":2,"cached":4,"thoughts":3})";
  const Collector collector = read(
      {said("m1", "user", "Hi."), said("m2", "gemini", "Ho."), said("m2", "gemini", "Ho.", tokens),
       said("m2", "gemini", "Ho.", tokens), said("m3", "gemini", "Ha.", tokens)});
  EXPECT_EQ(collector.conversations.at(0).facts.usage, (Usage{2 * 10, 2 * (2 + 3), 2 * 4, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(Gemini, AResponseThatTheCallHasAlreadyIsAMirror) {
  const std::string done =
      ",\"toolCalls\":[" + call("c1", "success", ",\"result\":[" + response("c1", "a") + "]") + "]";
  const std::string mirror =
      R"({"id":"r1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[)" +
      response("c1", "a") + "]}";
  const Collector collector = read({said("m1", "user", "Hi."), said("m2", "gemini", "", done),
                                    mirror, said("m3", "gemini", "Ho.")});
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human m1: Hi. | assistant m2: call result Ho.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 1}}));
}

TEST(Gemini, AResponseThatNothingElseHasIsTold) {
  const std::string only =
      R"({"id":"r1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[)" +
      response("c1", "a") + "]}";
  EXPECT_EQ(
      outline_of({said("m1", "user", "Hi."),
                  said("m2", "gemini", "", ",\"toolCalls\":[" + call("c1", "executing") + "]"),
                  only}),
      "human m1: Hi. | assistant m2: call result");
}

TEST(Gemini, AResponseThatCameFirstIsNotToldAgainWithItsCall) {
  const std::string only =
      R"({"id":"r1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[)" +
      response("c1", "a") + "]}";
  const std::string done =
      ",\"toolCalls\":[" + call("c1", "success", ",\"result\":[" + response("c1", "a") + "]") + "]";
  EXPECT_EQ(outline_of({said("m1", "user", "Hi."), said("m2", "gemini", "Look."), only,
                        said("m2", "gemini", "Look.", done)}),
            "human m1: Hi. | assistant m2: Look. result call");
}

TEST(Gemini, ACommandIsWordsButNoTitle) {
  const Conversation chat =
      read({said("m1", "user", "/clear"), said("m2", "user", "Hi.")}).conversations.at(0);
  EXPECT_EQ(outline(chat), "human m1: /clear Hi.");
  EXPECT_EQ(chat.facts.title, "Hi.");
}

TEST(Gemini, AResultMayHoldThoseOfItsNeighbours) {
  const std::string all = "[" + response("c1", "a") + "," + response("c2", "b") + "]";
  const Collector collector =
      read({said("m2", "gemini", "",
                 ",\"toolCalls\":[" + call("c1", "success", ",\"result\":" + all) + "," +
                     call("c2", "success", ",\"result\":" + all) + "]")});
  const std::vector<Block> blocks = blocks_of(collector.conversations.at(0));
  EXPECT_EQ(std::get<ToolResult>(blocks.at(1).body).text, "a");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(3).body).text, "b");
}

TEST(Gemini, ARewindBeginsATurnBehindTheOneGoneBackTo) {
  const std::vector<std::string> lines = {
      said("m1", "user", "One?"),    said("m2", "gemini", "One."), said("m3", "user", "Two?"),
      said("m4", "gemini", "Two."),  R"({"$rewindTo":"m3"})",      said("m5", "user", "Three?"),
      said("m6", "gemini", "Three.")};
  EXPECT_EQ(outline_of(lines),
            "human m1: One? | assistant m2: One. | human m3: Two? | assistant m4: Two. | "
            "human m5<m2: Three? | assistant m6: Three.");
  EXPECT_EQ(reasons_of(read(lines).skipped), (Counts{{"rewind", 1}}));
}

TEST(Gemini, ARewindToTheBeginningOrToNothingKnownFollowsNone) {
  for (const std::string_view id : {"m1", "nobody"}) {
    EXPECT_EQ(
        outline_of({said("m1", "user", "One?"), said("m2", "gemini", "One."),
                    "{\"$rewindTo\":\"" + std::string(id) + "\"}", said("m3", "user", "Two?")}),
        "human m1: One? | assistant m2: One. | human m3<: Two?");
  }
}

TEST(Gemini, WhoRewindsFartherThanIsRememberedFollowsTheLastTurn) {
  std::vector<std::string> lines = {said("m", "user", "First.")};
  for (int i = 0; i < 300; ++i) {
    lines.push_back(said("m" + std::to_string(i), i % 2 == 0 ? "gemini" : "user", "x"));
  }
  lines.emplace_back(R"({"$rewindTo":"m"})");
  lines.push_back(said("z", "user", "Last."));
  const Collector collector = read(lines);
  EXPECT_EQ(collector.conversations.at(0).turns.back().head.source_id, "z");
  EXPECT_FALSE(collector.conversations[0].turns.back().head.parent);
}

TEST(Gemini, OfAHistoryThatIsRestatedOnlyWhatIsNewIsTold) {
  const std::string restated =
      R"({"$set":{"messages":[)" + said("sum", "user", "<state_snapshot>We met.</state_snapshot>") +
      "," + said("ack", "gemini", "Got it. Thanks for the additional context!") + "," +
      said("m2", "gemini", "[masked]") + R"(],"lastUpdated":"2026-01-01T00:00:09Z"}})";
  EXPECT_EQ(outline_of({said("m1", "user", "Hi."), said("m2", "gemini", "Ho."), restated,
                        said("m3", "user", "Well?")}),
            "human m1: Hi. | assistant m2: Ho. compaction *text | human m3: Well?");
}

TEST(Gemini, OfALongHistoryThatIsRestatedWhatIsForgottenIsToldByItsTime) {
  std::vector<std::string> lines;
  std::string restated;
  for (int i = 0; i < 400; ++i) {
    const std::string second = std::to_string(100 + i);
    lines.push_back("{\"id\":\"m" + std::to_string(i) + "\",\"timestamp\":\"2026-01-01T00:00:00." +
                    second + "Z\",\"type\":\"gemini\",\"content\":\"x\"}");
    restated += (restated.empty() ? "" : ",") + lines.back();
  }
  lines.push_back(R"({"$set":{"messages":[)" + restated +
                  R"(,{"id":"new","timestamp":"2026-01-01T00:00:02Z","type":"user",)" +
                  R"("content":"New."}]}})");
  const Conversation chat = read(lines).conversations.at(0);
  EXPECT_EQ(blocks_of(chat).size(), 401u);
  EXPECT_EQ(chat.turns.back().head.source_id, "new");
}

TEST(Gemini, WhatTheHarnessSaysInAPersonsNameIsNotTheirs) {
  const Collector collector =
      read({said("m0", "user",
                 R"(<session_context>\n- **Workspace Directories:**\n  - /home/me/garden\n)"),
            said("m1", "user", "Hi.")});
  EXPECT_EQ(outline(collector.conversations.at(0)), "system m0: *text | human m1: Hi.");
  EXPECT_EQ(collector.conversations[0].facts.cwd, "/home/me/garden");
  EXPECT_EQ(collector.conversations[0].facts.title, "Hi.");
}

TEST(Gemini, APersonTypedWhatTheyWereShown) {
  const std::string prompt =
      R"({"id":"m1","timestamp":"2026-01-01T00:00:01Z","type":"user","displayContent":"See @a",)"
      R"("content":[{"text":"See @a in full"},{"text":"Inside a."}]})";
  EXPECT_EQ(outline_of({prompt}), "human m1: See @a *See @a in full *Inside a.");
}

TEST(Gemini, FilesThatAPromptNamesAreTheProgramsWords) {
  const std::string prompt =
      R"({"id":"m1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[)"
      R"({"text":"See @a"},{"text":"\n--- Content from referenced files ---"},)"
      R"({"text":"Inside a."}]})";
  EXPECT_EQ(outline_of({prompt}), "human m1: See @a *text *Inside a.");
}

TEST(Gemini, NoticesAreTheProgramsAndErrorsAreFailures) {
  EXPECT_EQ(outline_of({said("m1", "user", "Hi."), said("m2", "info", "Psst."),
                        said("m3", "warning", "Hm."), said("m4", "error", "Ouch.")}),
            "human m1: Hi. | assistant m2: *Psst. *Hm. *failure");
}

TEST(Gemini, ACancelledCallHasAResultThoughItGaveNone) {
  const Collector collector = read(
      {said("m1", "gemini", "",
            ",\"toolCalls\":[" + call("c1", "cancelled", R"(,"resultDisplay":"Stopped.")") + "]")});
  const std::vector<Block> blocks = blocks_of(collector.conversations.at(0));
  const auto& result = std::get<ToolResult>(blocks.at(1).body);
  EXPECT_EQ(result.text, "Stopped.");
  EXPECT_TRUE(result.is_error);
  EXPECT_FALSE(result.details);
}

TEST(Gemini, ASubagentsChatIsItsParentsAndHasNoPeople) {
  const std::string bytes =
      read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/gemini/subagent.jsonl")
          .value();
  const Collector collector = read_with(
      "gemini", bytes, {.name = "finder-1.jsonl", .model = {}, .directory = "/c/chats/up"});
  const Conversation& chat = collector.conversations.at(0);
  EXPECT_EQ(chat.heading.session_id, "up");
  EXPECT_EQ(chat.heading.source, "subagent:finder-1");
  EXPECT_EQ(outline(chat),
            "system s1: *Find the shed. | assistant s2: thinking It is behind the oak.");
  ASSERT_EQ(chat.origins.size(), 1u);
  EXPECT_EQ(chat.origins[0].session_id, "up");
  EXPECT_EQ(chat.origins[0].agent, "finder-1");
  EXPECT_EQ(chat.facts.cwd, "/home/me/garden");
}

TEST(Gemini, ACallThatAnAgentWorksOnSaysSo) {
  const Collector collector = read({said(
      "m1", "gemini", "", ",\"toolCalls\":[" + call("c1", "success", R"(,"agentId":"a7")") + "]")});
  EXPECT_EQ(collector.conversations.at(0).spawned,
            (std::vector<transcript::Spawned>{{.call_id = "c1", .agent = "a7"}}));
}

TEST(Gemini, TheFolderIsWhatTheToolWroteBesideTheChats) {
  SourceInfo info{.name = "x.jsonl", .model = {}, .directory = "/t/p/chats", .project = "p"};
  info.beside = [](std::string_view path) -> std::optional<std::string> {
    return path == "../.project_root" ? std::optional("/home/me/garden\n") : std::nullopt;
  };
  const Conversation chat = read({said("m1", "user", "Hi.")}, info).conversations.at(0);
  EXPECT_EQ(chat.facts.cwd, "/home/me/garden");
  EXPECT_EQ(chat.facts.project, "p");
}

TEST(Gemini, ASummaryIsTheTitle) {
  const Conversation chat = read({R"({"$set":{"summary":"About trees"}})",
                                  said("m1", "user", "Hi."), said("m2", "gemini", "Ho.")})
                                .conversations.at(0);
  EXPECT_EQ(chat.facts.title, "About trees");
  EXPECT_EQ(chat.facts.summary, "About trees");
}

TEST(Gemini, MessagesWithoutIdsAreCounted) {
  const Collector collector = read_with(
      "gemini",
      "{\"history\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Hi.\"}],\"ts\":1700000000},\n "
      "{\"role\":\"gemini\",\"parts\":[{\"text\":\"Ho.\"}]}],\n\"lastUpdated\":\"2026-01-01\"}");
  const Conversation& chat = collector.conversations.at(0);
  EXPECT_EQ(outline(chat), "human #1: Hi. | assistant #2: Ho.");
  EXPECT_TRUE(chat.turns[0].head.counted);
  EXPECT_EQ(chat.turns[0].blocks[0].recorded, 1700000000000);
  EXPECT_TRUE(chat.heading.session_id.starts_with("b3:"));
}

TEST(Gemini, WhatIsNoMessageIsKeptOrSaidToBeLeftOut) {
  const Collector collector =
      read({R"({"strange":1})", "[1]", said("m1", "user", "Hi.", ",\"x\":1e999"),
            R"({"$set":{"activeExtensionName":"e"}})", said("m2", "user", ""),
            said("m3", "riddle", "?")});
  EXPECT_EQ(outline(collector.conversations.at(0)), "system #1: *unknown *unknown *unknown");
  EXPECT_EQ(reasons_of(collector.skipped),
            (Counts{{"malformed: not an object", 1}, {"internal", 1}, {"empty", 1}}));
}

TEST(Gemini, AChatInWhichNothingWasSaidIsNone) {
  const Collector collector = read({});
  EXPECT_TRUE(collector.conversations.empty());
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"no turns", 1}}));
}

TEST(Gemini, ItsStateDoesNotGrowWithTheFile) {
  const Adapter& adapter = *find_adapter("gemini");
  const auto size_after = [&](int messages) {
    std::vector<std::string> lines;
    for (int i = 0; i < messages; ++i) {
      lines.push_back(
          said("message-" + std::to_string(i + 100000), i % 2 == 0 ? "user" : "gemini", "x"));
    }
    const auto reader = adapter.open({});
    Collector collector;
    const auto framer = line_framer();
    framer->push(
        log_of(lines), [&](const Record& record) { reader->read(record, collector); },
        [](std::uint64_t, std::uint64_t) {});
    return reader->save().size();
  };
  EXPECT_LT(size_after(4000), size_after(1000) + 200);
  EXPECT_LT(size_after(4000), 32'000u);
}

TEST(Gemini, KnowsWhereItsFilesLieAndWhichAreNone) {
  const Adapter& adapter = *find_adapter("gemini");
  const auto at = [](std::map<std::string, std::string, std::less<>> values) {
    return [values](std::string_view name) -> std::optional<std::string> {
      const auto found = values.find(name);
      return found == values.end() ? std::nullopt : std::optional(found->second);
    };
  };
  EXPECT_EQ(adapter.folders(at({{"HOME", "/h"}})), std::vector<std::string>{"/h/.gemini/tmp"});
  EXPECT_EQ(adapter.folders(at({{"HOME", "/h"}, {"GEMINI_CLI_HOME", "/g"}})),
            std::vector<std::string>{"/g/.gemini/tmp"});
  EXPECT_TRUE(adapter.folders(at({})).empty());

  EXPECT_FALSE(adapter.leaves("/t/p/chats/session-2026-01-01T00-00-abcdef12.jsonl"));
  EXPECT_EQ(adapter.leaves("/t/p/logs.json"), "prompt-history");
  EXPECT_EQ(adapter.leaves("/t/p/checkpoint-x.json"), "checkpoint");
  EXPECT_EQ(adapter.leaves("/t/p/checkpoints/a.json"), "checkpoint");
  EXPECT_EQ(adapter.leaves("/t/p/chats/a.jsonl.tmp-12"), "temporary");
  EXPECT_EQ(adapter.leaves("/t/p/chats/a.jsonl.unreadable-12"), "backup");
  EXPECT_EQ(adapter.leaves("/t/p/tool-outputs/session-a/x.txt"), "tool-result");
  EXPECT_EQ(adapter.leaves("/t/p/.project_root"), "sidecar");
}

TEST(Gemini, AProjectIsTheFoldersNameUnlessThatIsAHash) {
  const Adapter& adapter = *find_adapter("gemini");
  EXPECT_EQ(adapter.project("/t/garden/chats/a.jsonl", ""), "garden");
  EXPECT_EQ(adapter.project("/t/garden/chats/parent/a.jsonl", ""), "garden");
  const std::string hashed = "/t/" + std::string(64, 'a') + "/chats/a.json";
  EXPECT_EQ(adapter.project(hashed, ""), "");
  EXPECT_EQ(adapter.project(hashed, R"(Workspace Directories:**\n  - /home/me/orchard\n)"),
            "orchard");
  EXPECT_EQ(adapter.project("a.jsonl", ""), "");
}

TEST(Gemini, DoesNotTakeAnApisHistoryForAChat) {
  const Adapter& adapter = *find_adapter("gemini");
  for (const std::string_view head :
       {R"([{"role":"user","parts":[{"text":"Hi."}]}])",
        R"({"history":[{"role":"user","parts":[{"text":"Hi."}]}],"authType":"x"})",
        R"({"contents":[{"role":"user","parts":[{"text":"Hi."}]}]})",
        R"({"uuid":"u","parentUuid":null,"sessionId":"s","projectHash":"p","type":"user"})", "{",
        "", "{\"$set\":1}"}) {
    EXPECT_EQ(adapter.recognises(head), Confidence::no) << head;
  }
}

}  // namespace
}  // namespace weft::formats
