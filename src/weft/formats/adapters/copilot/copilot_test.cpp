#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("copilot", bytes, info);
}
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/copilot" / name)
      .value();
}
std::string event(std::string_view type, std::string_view data, std::string_view id = "e1") {
  return R"({"type":")" + std::string(type) + R"(","data":)" + std::string(data) + R"(,"id":")" +
         std::string(id) + R"(","timestamp":"2026-03-01T09:00:00.000Z","parentId":null})" + "\n";
}
Confidence sure_of(std::string_view head) { return find_adapter("copilot")->recognises(head); }

TEST(Copilot, ASessionThatWasResumedIsOneConversation) {
  const Collector collector = read(fixture("resumed.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "harbour");
  EXPECT_EQ(session.heading.program, "copilot-cli");
  EXPECT_EQ(outline(session),
            "system e3: *text | human e4: *text How many boats? attachment | "
            "assistant e6: thinking call result Two boats. | human e13: And tomorrow? | "
            "assistant e14: *failure redacted Nobody knows.");
  EXPECT_EQ(session.facts.cwd, "/srv/harbour");
  EXPECT_EQ(session.facts.git_branch, "tides");
  EXPECT_EQ(session.facts.title, "How many boats?");
  EXPECT_EQ(session.facts.updated_at, parse_iso8601("2026-03-01T09:00:24Z"));
  EXPECT_EQ(reasons_of(collector.skipped),
            (Counts{{"internal", 1}, {"progress", 2}, {"mirror", 1}}));
}

TEST(Copilot, EverySegmentIsShutDownWithWhatItUsed) {
  // The cache's 60 + 10 and 40 are within the input; the 4 of reasoning are not in the 15.
  EXPECT_EQ(read(fixture("resumed.jsonl")).conversations[0].facts.usage,
            (Usage{100 + 50, 15 + 4 + 5, 60 + 40, 10}));
  // A session that runs knows of its messages only.
  EXPECT_EQ(read(fixture("subagents.jsonl")).conversations[0].facts.usage, (Usage{.output = 13}));
  EXPECT_EQ(read(fixture("subagents.jsonl")).conversations[1].facts.usage, (Usage{.output = 6}));
}

TEST(Copilot, ABilledTokenIsCountedWhereNoModelCounts) {
  const std::string billed =
      event("user.message", R"({"content":"a"})") +
      event("session.shutdown",
            R"({"modelMetrics":{"m":{"requests":2}},"tokenDetails":{"input":{"tokenCount":7},)"
            R"("output":{"tokenCount":2},"cache_read":{"tokenCount":3}}})",
            "e2");
  EXPECT_EQ(read(billed).conversations[0].facts.usage, (Usage{7, 2, 3, 0}));
}

TEST(Copilot, AMessageIsThinkingWordsAndCallsOfOneStep) {
  const auto blocks = blocks_of(read(fixture("resumed.jsonl")).conversations[0]);
  const auto& thinking = std::get<transcript::Thinking>(blocks[4].body);
  EXPECT_EQ(thinking.text, "Look into the folder.");
  EXPECT_EQ(thinking.signature, "b3BhcXVl");
  EXPECT_EQ(blocks[4].model, "gpt-5-mini");
  EXPECT_EQ(blocks[4].message_id, "m1");
  const auto& call = std::get<ToolCall>(blocks[5].body);
  EXPECT_EQ(call.input, (json::object{{"command", "ls boats"}}));
  EXPECT_EQ(call.description, "count the boats");
  EXPECT_EQ(blocks[5].message_id, "m1");
  EXPECT_EQ(blocks[5].index, 1u);
  const auto& result = std::get<ToolResult>(blocks[6].body);
  EXPECT_EQ(result.call_id, "c1");
  EXPECT_EQ(result.text, "ada\nbea\n");
  EXPECT_FALSE(result.is_error);
  EXPECT_FALSE(result.details);  // the longer form is the same
  EXPECT_EQ(blocks[6].author, Author::tool);
}

TEST(Copilot, WhatTheHarnessPutAroundAPromptIsItsOwn) {
  const auto blocks = blocks_of(read(fixture("resumed.jsonl")).conversations[0]);
  EXPECT_EQ(std::get<transcript::Text>(blocks[1].body).text,
            "<date>today</date>\n\n<note>be brief</note>");
  EXPECT_EQ(blocks[1].author, Author::program);
  EXPECT_EQ(blocks[2].author, Author::human);
  const auto& attached = std::get<transcript::Attachment>(blocks[3].body);
  EXPECT_EQ(attached.name, "log.txt");
  EXPECT_EQ(attached.reference, "/srv/harbour/log.txt");
  EXPECT_FALSE(attached.extra);
}

TEST(Copilot, ASkillThatSpeaksForThePersonIsAProgram) {
  const Collector collector =
      read(event("user.message", R"({"content":"Hi."})") +
           event("user.message", R"({"content":"How to.","source":"skill-pdf"})", "e2"));
  EXPECT_EQ(outline(collector.conversations[0]), "human e1: Hi. | assistant e2: *How to.");
}

TEST(Copilot, SubagentsAreConversationsOfTheirOwn) {
  const Collector collector = read(fixture("subagents.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 3u);
  const auto& session = collector.conversations[0];
  const auto& apples = collector.conversations[1];
  const auto& pears = collector.conversations[2];
  EXPECT_EQ(outline(session),
            "human e2: Inspect the trees. | assistant e3: I send two. call call result result "
            "*The explorer is done. Seven apples.");
  EXPECT_EQ(session.spawned, (std::vector<Spawned>{{.call_id = "t1"}, {.call_id = "t2"}}));
  EXPECT_EQ(apples.heading.source, "subagent:t1");
  EXPECT_EQ(apples.heading.session_id, "orchard");
  EXPECT_EQ(outline(apples), "assistant e8: call result Seven.");
  EXPECT_EQ(apples.origins, (std::vector<Origin>{{.session_id = "orchard", .call_id = "t1"}}));
  EXPECT_EQ(apples.facts.title, "Explorer");
  // Known by the agent's own name, and its prompt is nobody's.
  EXPECT_EQ(pears.heading.source, "subagent:t2");
  EXPECT_EQ(outline(pears), "system e7: *pears | assistant e10: Ripe pears. *failure");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 2}, {"notification", 1}}));
}

TEST(Copilot, AMessageInChunksIsOneBlock) {
  const Collector collector = read(fixture("chunks.jsonl"));
  const auto& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human e2: Tell me a long story. | assistant e3: thinking Once upon a time. call "
            "result call compaction *unknown");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(blocks[2].source_id, "e4");
  EXPECT_EQ(std::get<ToolResult>(blocks[4].body).text, "no such file");
  EXPECT_TRUE(std::get<ToolResult>(blocks[4].body).is_error);
  // A call that no message requested.
  EXPECT_EQ(std::get<ToolCall>(blocks[5].body).input, (json::object{{"command", "echo hi"}}));
  EXPECT_EQ(session.facts.usage, (Usage{.output = 6}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"interrupted", 1}, {"progress", 1}}));
}

TEST(Copilot, AChunkThatNothingFollowsIsToldInTheEnd) {
  const std::string text = fixture("chunks.jsonl");
  const Collector collector = read(text.substr(0, text.find("a time.")));
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human e2: Tell me a long story. | assistant e3: thinking Once upon ");
}

TEST(Copilot, ALineThatACrashToreIsReadFromItsWholePart) {
  const Collector collector = read(fixture("broken-torn.jsonl"));
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human e2: Tell me a long story. | assistant e4: thinking Once upon ");
  EXPECT_EQ(collector.skipped.size(), 4u);  // zeros, half a line, no object, no data
}

TEST(Copilot, TheSameIdTwiceIsTwoPlaces) {
  const Collector collector = read(event("user.message", R"({"content":"a"})") +
                                   event("assistant.message", R"({"content":"b"})") +
                                   event("user.message", R"({"content":"a"})"));
  EXPECT_EQ(outline(collector.conversations[0]), "human e1: a | assistant #2: b");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(Copilot, AnInexactNumberIsKeptAsText) {
  const Collector collector = read(
      event("user.message", R"({"content":"a"})") +
      event(
          "assistant.message",
          R"({"content":"b","toolRequests":[{"toolCallId":"c","name":"n","arguments":{"x":1e999}}]})",
          "e2"));
  EXPECT_EQ(outline(collector.conversations[0]), "human e1: a | assistant e2: b unknown");
  EXPECT_NE(std::get<transcript::Unknown>(blocks_of(collector.conversations[0])[2].body)
                .raw_text->find("1e999"),
            std::string::npos);
}

TEST(Copilot, TheWorkspaceHasTheName) {
  const auto titled = [](std::string yaml) {
    const SourceInfo info{.name = "events.jsonl",
                          .model = {},
                          .directory = "/x/session-state/s-7",
                          .project = "harbour",
                          .beside = [yaml](std::string_view path) -> std::optional<std::string> {
                            if (path != "workspace.yaml") return std::nullopt;
                            return yaml;
                          }};
    const auto session =
        read(event("user.message", R"({"content":"first words"})"), info).conversations.at(0);
    EXPECT_EQ(session.heading.session_id, "s-7");  // of the folder
    EXPECT_EQ(session.facts.project, "harbour");
    return session.facts.title;
  };
  EXPECT_EQ(titled("id: s\nname: Counting boats # mine\ncwd: /x\n"), "Counting boats");
  EXPECT_EQ(titled("name: \"Boats \\u0026 tides\"\n"), "Boats & tides");
  EXPECT_EQ(titled("name: 'It''s late'\n"), "It's late");
  EXPECT_EQ(titled("name: |-\n  Boats\n  again\nid: s\n"), "Boats again");
  EXPECT_EQ(titled("summary: Old boats\n"), "Old boats");
  EXPECT_EQ(titled("id: s\nname:\n"), "first words");
}

TEST(Copilot, IsSureOfItsOwnLinesOnly) {
  EXPECT_EQ(sure_of(event("session.start", "{}")), Confidence::yes);
  EXPECT_EQ(sure_of(event("abort", "{}")), Confidence::yes);
  EXPECT_EQ(sure_of("\n" + event("session.start", "{}").substr(0, 40)), Confidence::yes);
  EXPECT_EQ(sure_of(R"({"type":"session.start","data":{},"timestamp":"2026"})"), Confidence::maybe);
  EXPECT_EQ(sure_of(R"({"type":"session.updated","properties":{}})"), Confidence::no);
  EXPECT_EQ(sure_of(R"({"type":"message","data":{},"timestamp":"2026","parentId":null})"),
            Confidence::no);
  EXPECT_EQ(sure_of(""), Confidence::no);
}

TEST(Copilot, LeavesWhatLiesBesideTheEvents) {
  const auto ignore_reason = find_adapter("copilot")->ignore_reason;
  EXPECT_EQ(ignore_reason("/h/.copilot/session-state/a/workspace.yaml"), "sidecar");
  EXPECT_EQ(ignore_reason("/h/.copilot/session-state/a/checkpoints/index.jsonl"), "sidecar");
  EXPECT_EQ(ignore_reason("/h/.copilot/session-state/a/session.db"), "sidecar");
  EXPECT_FALSE(ignore_reason("/h/.copilot/session-state/a/events.jsonl"));
  EXPECT_FALSE(ignore_reason("/h/.copilot/session-state/a.jsonl"));
  EXPECT_EQ(find_adapter("copilot")->project("", fixture("resumed.jsonl")), "harbour");
}

}  // namespace
}  // namespace weft::formats
