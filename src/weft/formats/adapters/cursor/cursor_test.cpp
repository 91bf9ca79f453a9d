#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

const Adapter& adapter() { return *find_adapter("cursor"); }
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/cursor" / name).value();
}
Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("cursor", bytes, info);
}
Conversation read_one(std::string_view bytes, const SourceInfo& info = {}) {
  return read(bytes, info).conversations.at(0);
}

TEST(Cursor, WordsInTheQueryAreThePersonsAndAllAroundThemTheProgrammes) {
  const Collector collector = read(fixture("transcript.jsonl"));
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human #1: *text Mend the loom. | "
            "assistant #2: redacted I look at it. call call It runs. | "
            "human #5: Thanks. | assistant #6: You are welcome.");
  EXPECT_TRUE(session.turns[0].head.counted);
  EXPECT_TRUE(session.heading.session_id.starts_with("b3:"));
  EXPECT_EQ(session.spawned, (std::vector<Spawned>{{.call_id = "call_7"}}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1}}));
}

TEST(Cursor, OtherNamesForCallsAndResultsAreKnownAndOtherBlocksKept) {
  const Conversation session = read_one(fixture("drift.jsonl"));
  EXPECT_EQ(outline(session),
            "human #1: Count the threads. | "
            "assistant #2: thinking call unknown result result Twelve.");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<ToolCall>(blocks.at(2).body).name, "Shell");
  EXPECT_EQ(blocks.at(2).model, "m-one");
  EXPECT_EQ(std::get<transcript::Unknown>(blocks.at(3).body).block_type, "hologram");
  // The call has no id, so the result that comes first is its own.
  const auto& result = std::get<ToolResult>(blocks.at(4).body);
  EXPECT_EQ(result.name, "Shell");
  EXPECT_EQ(result.call_id, "t1");
  EXPECT_EQ(result.text, "12");
}

TEST(Cursor, ATranscriptIsCalledByItsFileAndASubagentBelongsToItsFolder) {
  const SourceInfo session{.name = "9f.jsonl", .model = {}, .directory = "/p/agent-transcripts/9f"};
  EXPECT_EQ(read_one(fixture("transcript.jsonl"), session).heading.session_id, "9f");
  const SourceInfo child{
      .name = "a2.jsonl", .model = {}, .directory = "/p/agent-transcripts/9f/subagents"};
  const Conversation subagent = read_one(fixture("transcript.jsonl"), child);
  EXPECT_EQ(subagent.heading.session_id, "9f");
  EXPECT_EQ(subagent.heading.source, "subagent:a2");
  EXPECT_EQ(subagent.origins, (std::vector<Origin>{{.session_id = "9f", .agent = "a2"}}));
  EXPECT_EQ(outline(subagent),
            "system #1: *text *Mend the loom. | assistant #2: redacted I look at it. call call "
            "It runs. *Thanks. You are welcome.");
  const SourceInfo named{.name = "1031d227-0c67-4e17-8954-0b6e2b3322f0.jsonl"};
  EXPECT_EQ(read_one(fixture("transcript.jsonl"), named).heading.session_id,
            "1031d227-0c67-4e17-8954-0b6e2b3322f0");
}

TEST(Cursor, AComposerAndItsBubbles) {
  const Collector collector = read(fixture("composer.jsonl"));
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "c-wool");
  EXPECT_EQ(outline(session),
            "human b1: Sort the wool. attachment | "
            "assistant b2: thinking call result call result Sorted. | "
            "human b8: Well done.\nBye. | assistant b9: call *failure");
  EXPECT_EQ(session.facts.title, "Wool");
  EXPECT_EQ(session.facts.cwd, "/srv/wool");
  EXPECT_EQ(session.facts.project, "wool");
  EXPECT_EQ(session.facts.summary, "Wool was sorted.");
  EXPECT_EQ(session.facts.updated_at, 1767225660000);
  EXPECT_EQ(session.facts.usage, (transcript::Usage{10, 6, 0, 0}));
  EXPECT_EQ(session.spawned, (std::vector<Spawned>{{.call_id = "t2", .agent = "c-comb"}}));
  // One that is listed and not there, one that says nothing, one that is listed twice.
  EXPECT_EQ(reasons_of(collector.skipped),
            (Counts{{"missing", 1}, {"empty", 1}, {"duplicate", 1}}));

  const auto blocks = blocks_of(session);
  EXPECT_EQ(blocks.at(0).recorded, parse_iso8601("2026-01-01T00:00:00Z"));
  EXPECT_EQ(std::get<transcript::Attachment>(blocks.at(1).body).text, "grey\nwhite");
  EXPECT_EQ(std::get<transcript::Thinking>(blocks.at(2).body).signature, "U0lH");
  EXPECT_EQ(blocks.at(2).model, "m-two");
  EXPECT_EQ(std::get<ToolCall>(blocks.at(3).body).input, (json::value{{"command", "sort"}}));
  // The thought and the call are one step; what comes after the result is another.
  EXPECT_EQ(blocks.at(3).message_id, "b2");
  EXPECT_EQ(blocks.at(5).message_id, "b4");
  const auto& result = std::get<ToolResult>(blocks.at(4).body);
  EXPECT_EQ(result.call_id, "t1");
  EXPECT_EQ(result.text, R"({"output":"grey"})");
  EXPECT_FALSE(result.is_error);
  EXPECT_TRUE(std::get<ToolResult>(blocks.at(6).body).is_error);
  EXPECT_EQ(blocks.at(7).model, "m-three");
  // Arguments that were cut off are kept as they are.
  const auto& cut = std::get<ToolCall>(blocks.at(9).body);
  EXPECT_EQ(cut.name, "tool 7");
  EXPECT_EQ(cut.input, (json::value{{"rawArgs", "{\"a"}}));
}

TEST(Cursor, AComposerThatAnotherSetToWorkIsItsSubagent) {
  const Conversation child = read_one(
      R"({"composer":{"composerId":"c2","subagentInfo":{"parentComposerId":"c1","toolCallId":"t"}}})"
      "\n"
      R"({"bubbleId":"b","bubble":{"type":1,"text":"Comb it."}})");
  EXPECT_EQ(child.heading.session_id, "c1");
  EXPECT_EQ(child.heading.source, "subagent:c2");
  EXPECT_EQ(child.origins,
            (std::vector<Origin>{{.session_id = "c1", .call_id = "t", .agent = "c2"}}));
  EXPECT_EQ(outline(child), "system b: *Comb it.");
}

TEST(Cursor, TextOfBeforeThereWereLines) {
  const Conversation session = read_one(fixture("old.txt"));
  EXPECT_EQ(outline(session), "human #1: text | assistant #9: thinking call result Two threads.");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<transcript::Text>(blocks.at(0).body).text,
            "List the threads.\n\nAll of them.");
  EXPECT_EQ(std::get<transcript::Thinking>(blocks.at(1).body).text,
            "A shell will do.\nIt is quick.\nI list them.");
  const auto& call = std::get<ToolCall>(blocks.at(2).body);
  EXPECT_EQ(call.name, "Shell");
  EXPECT_EQ(call.input, (json::value{{"command", "ls\n    -la"}, {"why", "look"}}));
  EXPECT_EQ(std::get<ToolResult>(blocks.at(3).body).text, "red\n\nblue");
}

TEST(Cursor, TextIsAMirrorBesideItsLines) {
  SourceInfo info{.name = "9f.txt", .model = {}, .directory = "/p/agent-transcripts"};
  info.beside = [](std::string_view name) -> std::optional<std::string> {
    if (name != "9f/9f.jsonl") return std::nullopt;
    return "{}";
  };
  const Collector collector = read(fixture("old.txt"), info);
  EXPECT_TRUE(collector.conversations.empty());
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 18}}));
}

TEST(Cursor, IsRecognisedByARoleAndAMessageAndNothingElse) {
  const auto sure_of = [](std::string_view head) { return adapter().recognises(head); };
  const std::string line = R"({"role":"user","message":{"content":[]}})";
  EXPECT_EQ(sure_of(line), Confidence::yes);
  EXPECT_EQ(sure_of(line + "\n" + R"({"type":"turn_ended","status":"success"})"), Confidence::yes);
  EXPECT_EQ(sure_of(R"({"role":"user","message":{"content":[{"type":"te)"), Confidence::yes);
  for (const std::string_view other :
       {R"({"type":"user","message":{"role":"user","content":"x"}})",
        R"({"role":"user","content":"x"})", R"({"role":"user","message":{"parts":[]}})",
        R"({"role":"user","message":{"content":"x"},"sessionId":"s"})", "", "user: hi",
        "user:\nhello"}) {
    EXPECT_EQ(sure_of(other), Confidence::no) << other;
  }
  EXPECT_EQ(sure_of("user:\nhello\nassistant:\nhi\n"), Confidence::maybe);
}

TEST(Cursor, LeavesAloneWhatElseLiesInItsFolders) {
  const auto ignore_reason = [](std::string_view path) {
    return adapter().ignore_reason(path).value_or("");
  };
  EXPECT_EQ(ignore_reason("/h/.config/Cursor/User/globalStorage/state.vscdb"), "");
  EXPECT_EQ(ignore_reason("/h/.config/Cursor/User/globalStorage/state.vscdb.backup"), "backup");
  EXPECT_EQ(ignore_reason("/h/.config/Cursor/User/globalStorage/state.vscdb-wal"), "sidecar");
  EXPECT_EQ(ignore_reason("/h/.config/Cursor/User/globalStorage/storage.json"), "internal");
  EXPECT_EQ(ignore_reason("/h/.cursor/projects/p/agent-transcripts/9f/9f.jsonl"), "");
  EXPECT_EQ(ignore_reason("/h/.cursor/projects/p/terminals/1.txt"), "internal");
}

TEST(Cursor, SaysWhereItsFilesLie) {
  const auto folders = adapter().folders([](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return "/h";
    return std::nullopt;
  });
  EXPECT_EQ(folders,
            (std::vector<std::string>{"/h/.cursor/projects", "/h/.config/Cursor/User/globalStorage",
                                      "/h/Library/Application Support/Cursor/User/globalStorage"}));
  EXPECT_EQ(adapter().project("/h/.cursor/projects/srv-loom/agent-transcripts/9f/9f.jsonl", ""),
            "srv-loom");
  EXPECT_EQ(adapter().project("/h/.cursor/projects/agent-transcripts/9f/9f.jsonl", ""), "");
}

}  // namespace
}  // namespace weft::formats
