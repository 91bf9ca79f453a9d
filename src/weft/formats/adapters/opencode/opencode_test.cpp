#include <gtest/gtest.h>

#include <map>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

constexpr Millis kStart = 1767225600000;

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("opencode", bytes, info);
}
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/opencode" / name)
      .value();
}
Confidence sure_of(std::string_view head) { return find_adapter("opencode")->recognises(head); }

constexpr std::string_view kOutline =
    "human prt_01: How many threads? *Called the Read tool. attachment | "
    "assistant prt_05: thinking Let me look. call result call result redacted call result call "
    "result Seven. compaction *Go on. *failure I was *failure";

TEST(OpenCode, AnExportIsOneConversation) {
  const Collector collector = read(fixture("export.json"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "ses_loom");
  EXPECT_EQ(session.heading.source, "primary");
  EXPECT_EQ(session.heading.provider, "");
  EXPECT_EQ(outline(session), kOutline);
  EXPECT_EQ(session.facts.title, "Counting threads");
  EXPECT_EQ(session.facts.cwd, "/srv/loom");
  EXPECT_EQ(session.facts.project, "loom");
  EXPECT_EQ(session.facts.updated_at, kStart + 9000);
  // Two steps, begun and ended; an agent's mention, a patch, and where it was compacted.
  EXPECT_EQ(reasons_of(collector.skipped),
            (Counts{{"progress", 4}, {"mirror", 1}, {"internal", 1}, {"compact-boundary", 1}}));
}

TEST(OpenCode, TheStoreTellsTheSameAsItsExport) {
  const Collector stored = read(fixture("store.jsonl"));
  EXPECT_EQ(stored.conversations, read(fixture("export.json")).conversations);
}

TEST(OpenCode, WhatAStepUsedIsNotWhatItsMessageUsedAgain) {
  // Reasoning is output, and the input is without the cache.
  EXPECT_EQ(read(fixture("export.json")).conversations[0].facts.usage,
            (Usage{10 + 20 + 30, 7 + 3 + 9, 100, 7}));
  const std::string steps =
      R"({"id":"m","sessionID":"s","role":"assistant","time":{"created":1},"tokens":{"input":5,"output":5}})"
      "\n"
      R"({"id":"p1","sessionID":"s","messageID":"m","type":"step-finish","tokens":{"input":3,"output":1}})"
      "\n"
      R"({"id":"p2","sessionID":"s","messageID":"m","type":"step-finish","tokens":{"input":5,"output":5}})"
      "\n";
  EXPECT_EQ(read(steps).conversations.at(0).facts.usage, (Usage{8, 6, 0, 0}));
}

TEST(OpenCode, AToolPartIsACallAndItsResult) {
  const auto blocks = blocks_of(read(fixture("export.json")).conversations[0]);
  const auto& call = std::get<ToolCall>(blocks[5].body);
  EXPECT_EQ(call.id, "c1");
  EXPECT_EQ(call.display_text, "wc warp");
  EXPECT_EQ(blocks[5].source_id, "prt_07");
  EXPECT_EQ(blocks[5].start, kStart + 1200);
  const auto& result = std::get<ToolResult>(blocks[6].body);
  EXPECT_EQ(result.text, "7\n");
  EXPECT_EQ(result.details, json::value(json::object{{"exit", 0}}));  // the output is not repeated
  EXPECT_FALSE(result.is_error);
  EXPECT_EQ(blocks[6].source_id, "prt_07");
  EXPECT_EQ(blocks[6].index, 1u);
  EXPECT_EQ(blocks[6].start, kStart + 1300);
  // A command that failed, though the tool did not.
  EXPECT_TRUE(std::get<ToolResult>(blocks[8].body).is_error);
  EXPECT_EQ(std::get<ToolResult>(blocks[13].body).text, "no such file");
  EXPECT_TRUE(std::get<ToolResult>(blocks[13].body).is_error);
}

TEST(OpenCode, ThinkingHasItsProvidersSignature) {
  const auto blocks = blocks_of(read(fixture("export.json")).conversations[0]);
  const auto& thinking = std::get<transcript::Thinking>(blocks[3].body);
  EXPECT_EQ(thinking.text, "Look first.");
  EXPECT_EQ(thinking.signature, "c2ln");
  EXPECT_EQ(blocks[3].model, "claude-x");
  EXPECT_EQ(std::get<transcript::RedactedThinking>(blocks[9].body).data, "ZW5j");
}

TEST(OpenCode, WordsAfterAResultAreAnotherStep) {
  const auto blocks = blocks_of(read(fixture("export.json")).conversations[0]);
  EXPECT_EQ(blocks[5].message_id, "msg_02");
  EXPECT_EQ(blocks[7].message_id, "msg_02");  // called along with it
  EXPECT_EQ(blocks[12].message_id, "msg_03");
  EXPECT_EQ(blocks[14].message_id, "prt_14");
}

TEST(OpenCode, ATaskIsASessionOfItsOwn) {
  EXPECT_EQ(read(fixture("export.json")).conversations[0].spawned,
            (std::vector<Spawned>{{.call_id = "c3", .agent = "ses_child"}}));
  const auto child = read(fixture("child.jsonl")).conversations.at(0);
  EXPECT_EQ(child.heading.session_id, "ses_loom");
  EXPECT_EQ(child.heading.source, "subagent:ses_child");
  EXPECT_EQ(child.origins, (std::vector<Origin>{{.session_id = "ses_loom", .agent = "ses_child"}}));
  EXPECT_EQ(outline(child), "system prt_c1: *count more | assistant prt_c2: eight");
  EXPECT_EQ(child.facts.usage, (Usage{4, 2, 0, 0}));
}

TEST(OpenCode, AFileIsAttached) {
  const auto blocks = blocks_of(read(fixture("export.json")).conversations[0]);
  const auto& file = std::get<transcript::Attachment>(blocks[2].body);
  EXPECT_EQ(blocks[2].author, Author::human);
  EXPECT_EQ(file.kind, "file");
  EXPECT_EQ(file.name, "warp.txt");
  EXPECT_EQ(file.reference, "file:///srv/loom/warp.txt");
  const auto image = blocks_of(read(fixture("rows.jsonl")).conversations.at(0))[2];
  EXPECT_EQ(std::get<transcript::Attachment>(image.body).kind, "image");
  EXPECT_EQ(std::get<transcript::Attachment>(image.body).data, "iVBO");
}

TEST(OpenCode, HowAMessageEndedIsToldBehindItsParts) {
  const auto blocks = blocks_of(read(fixture("export.json")).conversations[0]);
  const auto& failure = std::get<transcript::Failure>(blocks.back().body);
  EXPECT_EQ(failure.text, "overloaded");
  EXPECT_EQ(blocks.back().source_id, "msg_07");
  EXPECT_EQ(std::get<transcript::Failure>(blocks[17].body).text, "try again");
}

// What grows is told when it is done, in the order in which it began.
TEST(OpenCode, TheBusTellsPartsAgainAndAgain) {
  const Collector collector = read(fixture("events.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(outline(session),
            "human prt_01: Weave! | assistant prt_03: thinking call result call result Woven.");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<transcript::Thinking>(blocks[1].body).text, "Hmm.");
  EXPECT_EQ(std::get<ToolCall>(blocks[2].body).input, (json::object{{"command", "a"}}));
  EXPECT_EQ(std::get<ToolResult>(blocks[5 - 1 - 1].body).text, "aa");
  EXPECT_EQ(session.facts.usage, (Usage{9, 5, 5, 0}));
  EXPECT_EQ(session.facts.title, "Counting threads");
  EXPECT_EQ(reasons_of(collector.skipped),
            (Counts{{"internal", 1},   // the server
                    {"progress", 9},   // a status, a step, three deltas, four that grew
                    {"mirror", 2}}));  // how the message ended, told twice: what it used is known
}

TEST(OpenCode, APartThatIsQueuedBehindAnAnswerDoesNotCutIt) {
  const auto event = [](std::string_view type, std::string_view properties) {
    return R"({"id":"evt_1","type":")" + std::string(type) + R"(","properties":)" +
           std::string(properties) + "}\n";
  };
  const auto message = [&](std::string_view id, std::string_view role, std::string_view time) {
    return event("message.updated", R"({"info":{"id":")" + std::string(id) +
                                        R"(","sessionID":"s","role":")" + std::string(role) +
                                        R"(","time":)" + std::string(time) + "}}");
  };
  const auto part = [&](std::string_view id, std::string_view of, std::string_view rest) {
    return event("message.part.updated",
                 R"({"part":{"id":")" + std::string(id) + R"(","sessionID":"s","messageID":")" +
                     std::string(of) + R"(","type":"text",)" + std::string(rest) + "}}");
  };
  const Collector collector =
      read(message("m1", "user", R"({"created":1})") + part("p1", "m1", R"("text":"one")") +
           message("m2", "assistant", R"({"created":2})") +
           part("p2", "m2", R"("text":"","time":{"start":3})") +
           message("m3", "user", R"({"created":4})") + part("p3", "m3", R"("text":"two")") +
           part("p2", "m2", R"("text":"whole","time":{"start":3,"end":5})") +
           message("m2", "assistant", R"({"created":2},"error":{"name":"E"})"));
  EXPECT_EQ(kinds_of(collector.conversations.at(0)), (Counts{{"text", 3}, {"failure", 1}}));
  bool is_whole = false;
  for (const auto& block : blocks_of(collector.conversations[0])) {
    const auto* words = std::get_if<transcript::Text>(&block.body);
    is_whole = is_whole || (words != nullptr && words->text == "whole");
  }
  EXPECT_TRUE(is_whole);
}

TEST(OpenCode, ARunPrintsWhatIsDone) {
  const Collector collector = read(fixture("run.jsonl"));
  const auto& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "ses_run");
  EXPECT_EQ(outline(session), "assistant prt_02: call result One file. *failure");
  EXPECT_EQ(session.facts.usage, (Usage{3, 2, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1}}));
}

TEST(OpenCode, RowsOfTheNewStore) {
  const Collector collector = read(fixture("rows.jsonl"));
  const auto& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "system m1: *Be brief. | human m2: Weave. attachment | assistant m3: thinking call "
            "result call result Woven. | human m5: !ls | assistant m5.1: result *A note. "
            "compaction");
  EXPECT_EQ(session.facts.usage, (Usage{11, 7, 2, 3}));
  EXPECT_EQ(session.spawned, (std::vector<Spawned>{{.call_id = "c2", .agent = "ses_kid"}}));
  EXPECT_EQ(session.origins,
            (std::vector<Origin>{{.kind = Origin::Kind::continued, .session_id = "ses_one"}}));
  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<ToolResult>(blocks[5].body).text, "a\nb");
  EXPECT_EQ(std::get<ToolResult>(blocks[7].body).text, "died");
  EXPECT_TRUE(std::get<ToolResult>(blocks[7].body).is_error);
  EXPECT_EQ(blocks[3].model, "gpt-y");
  EXPECT_EQ(blocks[3].message_id, "m3");
  EXPECT_EQ(blocks[6].message_id, "m3");
  EXPECT_EQ(blocks[8].message_id, "m3/5");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 1}}));
}

TEST(OpenCode, AVeryOldPromptHasItsWordsInItsTitle) {
  const auto message = [](std::string_view id, std::string_view rest) {
    return R"({"id":")" + std::string(id) + R"(","sessionID":"s","time":{"created":1},)" +
           std::string(rest) + "}\n";
  };
  EXPECT_EQ(outline(read(message("m1", R"("role":"user","summary":{"title":"Spin."})") +
                         message("m2", R"("role":"assistant")") +
                         R"({"id":"p","messageID":"m2","type":"text","text":"Spun."})" + "\n")
                        .conversations.at(0)),
            "human m1: Spin. | assistant p: Spun.");
}

TEST(OpenCode, TornElementsOfAnExportHarmNoOthers) {
  const Collector collector = read(fixture("broken-export.json"));
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human prt_01: How many threads? *Called the Read tool. attachment");
  EXPECT_EQ(collector.skipped.size(), 1u + 3u);  // a mention; torn, nothing, and no object
}

TEST(OpenCode, AnInexactNumberIsKeptAsTextOfItsPart) {
  const Collector collector = read(
      R"([{"info":{"id":"m","sessionID":"s","role":"assistant","time":{"created":1}},"parts":[)"
      R"({"id":"p1","type":"text","text":"a"},)"
      R"({"id":"p2","type":"tool","callID":"c","tool":"t","state":{"status":"pending","input":{"x":1e999}}},)"
      R"({"id":"p3","type":"tool","callID":"d","tool":"t","state":{"status":"pending","input":{"x":1}}}]}])");
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant p1: a unknown call");
}

TEST(OpenCode, IsSureOfItsOwnOnly) {
  for (const char* name :
       {"export.json", "store.jsonl", "child.jsonl", "events.jsonl", "run.jsonl", "rows.jsonl"}) {
    EXPECT_EQ(sure_of(fixture(name)), Confidence::yes) << name;
  }
  EXPECT_EQ(sure_of("[]"), Confidence::no);
  EXPECT_EQ(sure_of("{}"), Confidence::no);
  EXPECT_EQ(sure_of("true"), Confidence::no);
  EXPECT_EQ(sure_of(R"({"ses_1":{"type":"busy"}})"), Confidence::no);
  EXPECT_EQ(sure_of(R"({"type":"session.start","data":{},"id":"e1","parentId":null})"),
            Confidence::no);
  EXPECT_EQ(sure_of(R"({"role":"user","content":"hi"})"), Confidence::no);
}

// A folder of files, as its names and texts.
SourceInfo in_tree(std::map<std::string, std::string> files, std::string directory) {
  const auto resolve = [directory](std::string_view relative) {
    return (std::filesystem::path(directory) / relative).lexically_normal().string();
  };
  return {.name = "ses_1.json",
          .model = {},
          .directory = directory,
          .project = {},
          .beside = [files, resolve](std::string_view relative) -> std::optional<std::string> {
            const auto found = files.find(resolve(relative));
            if (found == files.end()) return std::nullopt;
            return found->second;
          },
          .list =
              [files, resolve](std::string_view relative) {
                std::vector<std::string> names;
                for (const auto& [path, text] : files) {
                  const std::string folder = resolve(relative);
                  if (path.starts_with(folder) && path.find('/', folder.size()) == path.npos) {
                    names.push_back(path.substr(folder.size()));
                  }
                }
                return names;
              }};
}

std::string lines_of(const SourceInfo& info, std::string_view text) {
  std::string lines;
  find_adapter("opencode")->tree->lines(info, text, [&](std::string_view line) {
    EXPECT_EQ(line.find('\n'), line.npos);
    lines += std::string(line) + "\n";
  });
  return lines;
}

TEST(OpenCode, FilesAreReadInTheOrderOfTheirMessages) {
  const SourceInfo info = in_tree(
      {{"/d/storage/message/ses_1/msg_b.json",
        R"({"id":"msg_b","sessionID":"ses_1","role":"user","time":{"created":5}})"},
       {"/d/storage/message/ses_1/msg_a.json",
        "{\n  \"id\":\"msg_a\",\"sessionID\":\"ses_1\",\"role\":\"assistant\",\r\n"
        "\"time\":{\"created\":9}}"},
       {"/d/storage/part/msg_b/prt_2.json", R"({"id":"prt_2","type":"text","text":"two"})"},
       {"/d/storage/part/msg_b/prt_1.json", R"({"id":"prt_1","type":"text","text":"one"})"},
       {"/d/storage/part/msg_a/prt_0.json", R"({"id":"prt_0","type":"text","text":"done"})"}},
      "/d/storage/session/p1");
  const std::string session =
      R"({"id":"ses_1","directory":"/srv/x","title":"T","version":"1","time":{"created":1}})";
  EXPECT_EQ(outline(read(lines_of(info, session)).conversations.at(0)),
            "human prt_1: one two | assistant prt_0: done");
}

TEST(OpenCode, FilesOfTheOldestLayoutAndOfSubagentsOfSubagents) {
  const SourceInfo info = in_tree(
      {{"/d/session/message/ses_1/m.json", R"({"id":"m","role":"user","time":{"created":5}})"},
       {"/d/session/part/ses_1/m/p.json", R"({"id":"p","type":"text","text":"one"})"},
       {"/d/session/info/ses_2.json", R"({"id":"ses_2","parentID":"ses_3"})"}},
      "/d/session/info");
  const auto child =
      read(lines_of(info, R"({"id":"ses_1","parentID":"ses_2","title":"T","time":{"created":1}})"))
          .conversations.at(0);
  EXPECT_EQ(outline(child), "system p: *one");
  EXPECT_EQ(child.heading.session_id, "ses_3");
  EXPECT_EQ(child.origins.at(0).session_id, "ses_3");
}

TEST(OpenCode, KnowsItsFilesByTheirFolders) {
  const Adapter& adapter = *find_adapter("opencode");
  EXPECT_EQ(adapter.tree->folder("/d/storage/session/p1/ses_1.json"), "../../message/ses_1");
  EXPECT_EQ(adapter.tree->folder("/d/storage/session/info/ses_1.json"), "../message/ses_1");
  EXPECT_EQ(adapter.tree->folder("/d/export.json"), "");
  EXPECT_EQ(adapter.ignore_reason("/d/storage/message/ses_1/msg_1.json"), "part-of-session");
  EXPECT_EQ(adapter.ignore_reason("/d/storage/part/msg_1/prt_1.json"), "part-of-session");
  EXPECT_EQ(adapter.ignore_reason("/d/storage/session_diff/ses_1.json"), "internal");
  EXPECT_EQ(adapter.ignore_reason("/d/opencode.db-wal"), "sidecar");
  EXPECT_FALSE(adapter.ignore_reason("/d/opencode.db"));
  EXPECT_FALSE(adapter.ignore_reason("/d/storage/session/p1/ses_1.json"));
  EXPECT_EQ(adapter.ignore_folder_reason("/h/opencode/snapshot"), "internal");
  EXPECT_EQ(adapter.ignore_folder_reason("/h/opencode/storage/part"), "part-of-session");
  EXPECT_FALSE(adapter.ignore_folder_reason("/h/opencode/storage/session"));
  const auto home = [](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return "/h";
    return std::nullopt;
  };
  EXPECT_EQ(adapter.folders(home), (std::vector<std::string>{"/h/.local/share/opencode"}));
  EXPECT_EQ(adapter.project("", fixture("export.json")), "loom");
}

}  // namespace
}  // namespace weft::formats
