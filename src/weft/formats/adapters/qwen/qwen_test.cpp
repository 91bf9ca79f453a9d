// What is peculiar to the sessions of Qwen Code.
#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

// A record `id` that follows `parent`; `more` are its other members.
std::string record(std::string_view id, std::string_view parent, std::string_view type,
                   std::string_view more) {
  std::string line = "{\"uuid\":\"" + std::string(id) + "\",\"parentUuid\":";
  line += parent.empty() ? "null" : "\"" + std::string(parent) + "\"";
  line += R"(,"sessionId":"s","timestamp":"2026-01-01T00:00:01Z","type":")" + std::string(type);
  return line + "\"," + std::string(more) + "}";
}

std::string says(std::string_view text) {
  return R"("message":{"parts":[{"text":")" + std::string(text) + "\"}]}";
}

std::string system(std::string_view id, std::string_view parent, std::string_view subtype,
                   std::string_view payload) {
  return record(
      id, parent, "system",
      "\"subtype\":\"" + std::string(subtype) + "\",\"systemPayload\":" + std::string(payload));
}

Collector read(const std::vector<std::string>& lines, const SourceInfo& info = {}) {
  return read_with("qwen", joined(lines), info);
}

std::string outline_of(const std::vector<std::string>& lines) {
  const Collector collector = read(lines);
  return collector.conversations.empty() ? "" : outline(collector.conversations[0]);
}

Collector read_fixture(std::string_view name, const SourceInfo& info = {}) {
  const auto path = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/qwen" / name;
  return read_with("qwen", read_file(path).value(), info);
}

TEST(Qwen, ASessionIsToldInTurns) {
  const Collector collector = read_fixture("session.jsonl");
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "11111111-2222-4333-8444-000000000001");
  EXPECT_EQ(session.heading.program, "qwen-code");
  EXPECT_EQ(session.heading.family, "qwen");
  EXPECT_EQ(outline(session),
            "human q1: Which herbs grow here? *text | "
            "assistant q3: thinking I look. call result I do not know. *A task ended.");
  EXPECT_EQ(session.facts.title, "Herbs");
  EXPECT_EQ(session.facts.cwd, "/home/me/garden");
  EXPECT_EQ(session.facts.git_branch, "spring");
  // The 4 of thoughts are within the 9: 90 + 9 is the total that it tells.
  EXPECT_EQ(session.facts.usage, (Usage{90 + 120, 9 + 5, 30 + 90, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"telemetry", 1}}));
  const std::vector<Block> blocks = blocks_of(session);
  EXPECT_EQ(blocks.at(2).model, "qwen-x");
  EXPECT_EQ(blocks.at(2).message_id, "q3");
  const auto& result = std::get<ToolResult>(blocks.at(5).body);
  EXPECT_EQ(result.call_id, "k1");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(canonical_json(*result.details), R"({"errorType":"file_not_found"})");
}

TEST(Qwen, ARewindIsABranchAndALineOfTheSameNameGoesOn) {
  const Collector collector = read_fixture("branches.jsonl");
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human t1: One? | assistant t2: Yes, one. | human t3: Two? | assistant t4: Not two. | "
            "human t6<t2: Three? | assistant t7: thinking Three. compaction");
  const std::vector<Block> blocks = blocks_of(collector.conversations[0]);
  EXPECT_EQ(blocks.at(5).source_id, "t7");
  EXPECT_EQ(blocks.at(6).source_id, "t7");
  EXPECT_EQ(blocks.at(6).index, 1u);
  EXPECT_EQ(std::get<transcript::Compaction>(blocks.at(7).body).summary,
            "<state_snapshot>We counted.</state_snapshot>");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"rewind", 1}}));
}

TEST(Qwen, ARecordThatIsThereTwiceIsOne) {
  const std::string line = record("a", "", "user", says("Hi."));
  const Collector collector = read({line, record("b", "a", "assistant", says("Ho.")), line});
  EXPECT_EQ(outline(collector.conversations.at(0)), "human a: Hi. | assistant b: Ho.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(Qwen, ObjectsGluedIntoOneLineAreAllRead) {
  EXPECT_EQ(
      outline_of({record("a", "", "user", says("}{")) + record("b", "a", "assistant", says("Ho.")) +
                  record("c", "b", "user", says("Ha."))}),
      "human a: }{ | assistant b: Ho. | human c: Ha.");
}

TEST(Qwen, BehindHalfALineTheNextIsFound) {
  const Collector collector =
      read({record("a", "", "user", says("Hi.")),
            R"({"uuid":"b","parentUuid":"a","ses)" + record("c", "a", "assistant", says("Ho."))});
  EXPECT_EQ(outline(collector.conversations.at(0)), "human a: Hi. | assistant c: Ho.");
  EXPECT_EQ(collector.skipped.size(), 1u);
}

TEST(Qwen, APersonTypedWhatIsShown) {
  const std::string shown = R"("systemPayload":{"displayText":"Hi."},)";
  EXPECT_EQ(outline_of({record("a", "", "user", shown + says("Hi. It rains."))}),
            "human a: Hi. * It rains.");
  EXPECT_EQ(outline_of({record("a", "", "user", shown + says("Expanded."))}),
            "human a: Hi. *Expanded.");
  EXPECT_EQ(outline_of({record("a", "", "user",
                               R"("subtype":"mid_turn_user_message",)" + shown +
                                   says("[User message received during tool execution]: Hi."))}),
            "human a: Hi.");
}

TEST(Qwen, NotificationsAndTheLikeAreTheProgramsWords) {
  for (const std::string_view mark : {R"("subtype":"notification")", R"("subtype":"cron")",
                                      R"("subtype":"goal_runtime")", R"("provenance":"system")"}) {
    EXPECT_EQ(outline_of({record("a", "", "user", says("Hi.")),
                          record("b", "a", "user", std::string(mark) + "," + says("Psst."))}),
              "human a: Hi. | assistant b: *Psst.")
        << mark;
  }
}

TEST(Qwen, FilesThatAreKeptElsewhereAreNamed) {
  const Collector collector = read(
      {record("a", "", "user",
              R"("systemPayload":{"displayText":"See.","attachmentReferences":[{"type":"image",)"
              R"("attachmentId":"f7","mimeType":"image/png","size":3}]},)" +
                  says("See."))});
  const std::vector<Block> blocks = blocks_of(collector.conversations.at(0));
  const auto& file = std::get<transcript::Attachment>(blocks.at(1).body);
  EXPECT_EQ(file.reference, "f7");
  EXPECT_EQ(file.size, 3u);
  EXPECT_EQ(blocks.at(1).author, Author::human);
}

TEST(Qwen, ACommandIsThePersonsAndItsOutputTheProgramsAndAnEchoIsLeftOut) {
  const std::vector<std::string> lines = {
      system("a", "", "slash_command", R"({"phase":"invocation","rawCommand":"/about"})"),
      record("b", "a", "user", says("/about")),
      system(
          "c", "b", "slash_command",
          R"({"phase":"result","rawCommand":"/about","outputHistoryItems":[)"
          R"({"type":"user","text":"/about"},{"type":"info","text":"It is me."},{"type":"x"}]})")};
  EXPECT_EQ(outline_of(lines), "human a: /about | assistant c: *It is me. *unknown");
  EXPECT_EQ(reasons_of(read(lines).skipped), (Counts{{"mirror", 1}}));
}

TEST(Qwen, TheProvidersErrorsAreAmongTheTelemetry) {
  const std::string failed =
      R"({"uiEvent":{"event.name":"qwen-code.api_error","error_message":"Overloaded."}})";
  const std::string others =
      R"({"uiEvent":{"event.name":"qwen-code.api_error","error_message":"No.","subagent_id":"x"}})";
  const std::vector<std::string> lines = {record("a", "", "user", says("Hi.")),
                                          system("b", "a", "ui_telemetry", failed),
                                          system("c", "b", "ui_telemetry", others)};
  EXPECT_EQ(outline_of(lines), "human a: Hi. | assistant b: *failure");
  EXPECT_EQ(reasons_of(read(lines).skipped), (Counts{{"telemetry", 1}}));
}

TEST(Qwen, ACompressionWithoutASummaryIsOnlyABoundary) {
  const Collector collector =
      read({record("a", "", "user", says("Hi.")),
            system("b", "a", "chat_compression", R"({"info":{},"compressedHistory":[]})")});
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"compact-boundary", 1}}));
}

TEST(Qwen, WhatTheHarnessNotesForItselfIsLeftOutWithItsReason) {
  const Collector collector = read({
      record("a", "", "user", says("Hi.")),
      system("b", "a", "file_history_snapshot", "{}"),
      system("c", "b", "branch_checkpoint", "{}"),
      system("d", "c", "turn_result", R"({"result":"Hi."})"),
      record("e", "d", "assistant", R"("message":{"parts":[]})"),
      "[]",
  });
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"snapshot", 1},
                                                   {"internal", 1},
                                                   {"mirror", 1},
                                                   {"empty", 1},
                                                   {"malformed: not an object", 1}}));
}

TEST(Qwen, WhatItDoesNotKnowItKeeps) {
  EXPECT_EQ(
      outline_of({record("a", "", "user", says("Hi.")), system("b", "a", "omen", R"({"x":1})"),
                  record("c", "b", "dream", "\"y\":2"),
                  record("d", "c", "assistant", "\"z\":1e999," + says("Ho."))}),
      "human a: Hi. | assistant b: *unknown *unknown *unknown");
}

TEST(Qwen, ThoughtsAreOutputOnceWhetherTheyAreCountedApartOrNot) {
  const auto usage_of = [](const std::string& total) {
    const std::string tokens =
        R"("usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":6,"thoughtsTokenCount":4)" +
        total + "},";
    return read({record("a", "", "user", says("Hi.")),
                 record("b", "a", "assistant", tokens + says("Ho."))})
        .conversations.at(0)
        .facts.usage;
  };
  EXPECT_EQ(usage_of(R"(,"totalTokenCount":20)"), (Usage{10, 6 + 4, 0, 0}));
  EXPECT_EQ(usage_of(R"(,"totalTokenCount":16)"), (Usage{10, 6, 0, 0}));
  EXPECT_EQ(usage_of(""), (Usage{10, 6 + 4, 0, 0}));  // as mostly
}

TEST(Qwen, AnEmptyAnswerMayStillHaveCost) {
  const Collector collector =
      read({record("a", "", "user", says("Hi.")),
            record("b", "a", "assistant", R"("usageMetadata":{"promptTokenCount":7})")});
  EXPECT_EQ(collector.conversations.at(0).facts.usage, (Usage{7, 0, 0, 0}));
  EXPECT_TRUE(collector.skipped.empty());
}

TEST(Qwen, AResultMayBeInTheNotesAlone) {
  const Collector collector = read({record(
      "a", "", "tool_result",
      R"("toolCallResult":{"callId":"k","status":"cancelled","resultDisplay":"Stopped."})")});
  const std::vector<Block> blocks = blocks_of(collector.conversations.at(0));
  const auto& result = std::get<ToolResult>(blocks.at(0).body);
  EXPECT_EQ(result.call_id, "k");
  EXPECT_EQ(result.text, "Stopped.");
  EXPECT_TRUE(result.is_error);
}

TEST(Qwen, ASubagentHasNoPeopleAndItsSidecarNamesTheCall) {
  SourceInfo info{.name = "agent-finder-k9.jsonl"};
  info.beside = [](std::string_view path) -> std::optional<std::string> {
    if (path != "agent-finder-k9.meta.json") return std::nullopt;
    return R"({"toolUseId":"k9","description":"find mint"})";
  };
  const Collector collector = read_fixture("subagent.jsonl", info);
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.source, "subagent:finder-k9");
  EXPECT_EQ(outline(session), "system a1: *Find the mint. | assistant a2: By the wall.");
  EXPECT_EQ(session.facts.title, "find mint");
  EXPECT_EQ(session.origins,
            (std::vector<Origin>{{.kind = Origin::Kind::spawned,
                                  .session_id = "11111111-2222-4333-8444-000000000001",
                                  .call_id = "k9",
                                  .agent = "finder-k9"}}));
}

TEST(Qwen, ACallForAnAgentNamesItOnceItIsKnown) {
  const Collector collector = read({
      record("a", "", "user", says("Go.")),
      record("b", "a", "assistant",
             R"("message":{"parts":[{"functionCall":{"id":"k","name":"agent","args":{}}}]})"),
      record("c", "b", "tool_result",
             R"("message":{"parts":[{"functionResponse":{"id":"k","name":"agent",)"
             R"("response":{"output":"Launched.\ntask_id: finder-k and so on."}}}]})"),
  });
  EXPECT_EQ(collector.conversations.at(0).spawned,
            (std::vector<Spawned>{{.call_id = "k"}, {.call_id = "k", .agent = "finder-k"}}));
}

TEST(Qwen, AForkAndASessionThatWasStartedByAnotherSayFromWhich) {
  const Conversation session =
      read({system("p", "", "parent_session", R"({"parentSessionId":"up"})"),
            record("a", "p", "user",
                   R"("forkedFrom":{"sessionId":"old","messageUuid":"a"},)" + says("Hi."))})
          .conversations.at(0);
  EXPECT_EQ(session.origins,
            (std::vector<Origin>{{.kind = Origin::Kind::spawned, .session_id = "up"},
                                 {.kind = Origin::Kind::continued, .session_id = "old"}}));
}

TEST(Qwen, ItsStateDoesNotGrowWithTheFile) {
  const auto size_after = [](int records) {
    std::vector<std::string> lines;
    for (int i = 0; i < records; ++i) {
      lines.push_back(record("r" + std::to_string(i + 100000),
                             i == 0 ? "" : "r" + std::to_string(i + 99999),
                             i % 2 == 0 ? "user" : "assistant", says("x")));
    }
    const auto reader = find_adapter("qwen")->open({});
    Collector collector;
    line_framer()->push(
        joined(lines), [&](const Record& found) { reader->read(found, collector); },
        [](std::uint64_t, std::uint64_t) {});
    return canonical_json(reader->save()).size();
  };
  EXPECT_LT(size_after(4000), size_after(1000) + 400);
  EXPECT_LT(size_after(4000), 32'000u);
}

TEST(Qwen, KnowsWhereItsFilesLieAndWhichAreNone) {
  const Adapter& adapter = *find_adapter("qwen");
  const Environment home = [](std::string_view name) {
    return name == "HOME" ? std::optional<std::string>("/h") : std::nullopt;
  };
  EXPECT_EQ(adapter.folders(home), (std::vector<std::string>{"/h/.qwen/projects", "/h/.qwen/tmp"}));
  EXPECT_FALSE(adapter.ignore_reason("/h/.qwen/projects/-p/chats/a.jsonl"));
  EXPECT_EQ(adapter.ignore_reason("/s/agent-x.meta.json"), "sidecar");
  EXPECT_EQ(adapter.ignore_reason("/s/agent-x.jsonl.stream"), "live-scratch");
  EXPECT_EQ(adapter.ignore_reason("/h/.qwen/tmp/p/logs.json"), "prompt-history");
  EXPECT_EQ(adapter.project("/x/-p/chats/a.jsonl", R"({"uuid":"a","cwd":"/home/me/garden"})"),
            "garden");
  EXPECT_EQ(adapter.project("/x/-home-me-garden/chats/a.jsonl", ""), "home-me-garden");
  EXPECT_EQ(adapter.project("/x/" + std::string(64, 'a') + "/chats/a.jsonl", ""), "");
  EXPECT_EQ(adapter.project("a.jsonl", ""), "");
}

TEST(Qwen, DoesNotTakeItsLookAlikesForItsOwn) {
  const Adapter& adapter = *find_adapter("qwen");
  for (const std::string_view head :
       {R"({"uuid":"a","parentUuid":null,"sessionId":"s","type":"user","message":{"content":"x"}})",
        R"({"sessionId":"s","projectHash":"p"})", R"({"role":"user","parts":[{"text":"x"}]})",
        R"({"type":"system","subtype":"init","session_id":"s"})", "{", ""}) {
    EXPECT_EQ(adapter.recognises(head), Confidence::no) << head;
  }
}

}  // namespace
}  // namespace weft::formats
