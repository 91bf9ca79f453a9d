// Chats of Gemini CLI: documents and logs, who speaks in them, what they are and where they lie.
#include <gtest/gtest.h>

#include "weft/formats/adapters/gemini/gemini_for_test.hpp"

namespace weft::formats {
namespace {

using gemini::authored;
using gemini::call;
using gemini::log_of;
using gemini::outline_of;
using gemini::read;

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
  const Collector collector = read_with(
      "gemini", R"({"messages":[)" + authored("m1", "user", "Hi.") + "," +
                    authored("m2", "gemini", "Ho.") + R"(],"sessionId":"s","projectHash":"p"})");
  EXPECT_EQ(outline(collector.conversations.at(0)), "human m1: Hi. | assistant m2: Ho.");
  EXPECT_EQ(collector.conversations[0].heading.session_id, "s");
}

TEST(Gemini, ACommandIsWordsButNoTitle) {
  const Conversation chat =
      read({authored("m1", "user", "/clear"), authored("m2", "user", "Hi.")}).conversations.at(0);
  EXPECT_EQ(outline(chat), "human m1: /clear Hi.");
  EXPECT_EQ(chat.facts.title, "Hi.");
}

TEST(Gemini, WhatTheHarnessSaysInAPersonsNameIsNotTheirs) {
  const Collector collector =
      read({authored("m0", "user",
                     R"(<session_context>\n- **Workspace Directories:**\n  - /home/me/garden\n)"),
            authored("m1", "user", "Hi.")});
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
  EXPECT_EQ(outline_of({authored("m1", "user", "Hi."), authored("m2", "info", "Psst."),
                        authored("m3", "warning", "Hm."), authored("m4", "error", "Ouch.")}),
            "human m1: Hi. | assistant m2: *Psst. *Hm. *failure");
}

TEST(Gemini, ACancelledCallHasAResultThoughItGaveNone) {
  const Collector collector = read({authored(
      "m1", "gemini", "",
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
  const Collector collector = read({authored(
      "m1", "gemini", "", ",\"toolCalls\":[" + call("c1", "success", R"(,"agentId":"a7")") + "]")});
  EXPECT_EQ(collector.conversations.at(0).spawned,
            (std::vector<transcript::Spawned>{{.call_id = "c1", .agent = "a7"}}));
}

TEST(Gemini, TheFolderIsWhatTheToolWroteBesideTheChats) {
  SourceInfo info{.name = "x.jsonl", .model = {}, .directory = "/t/p/chats", .project = "p"};
  info.beside = [](std::string_view path) -> std::optional<std::string> {
    return path == "../.project_root" ? std::optional("/home/me/garden\n") : std::nullopt;
  };
  const Conversation chat = read({authored("m1", "user", "Hi.")}, info).conversations.at(0);
  EXPECT_EQ(chat.facts.cwd, "/home/me/garden");
  EXPECT_EQ(chat.facts.project, "p");
}

TEST(Gemini, ASummaryIsTheTitle) {
  const Conversation chat = read({R"({"$set":{"summary":"About trees"}})",
                                  authored("m1", "user", "Hi."), authored("m2", "gemini", "Ho.")})
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
      read({R"({"strange":1})", "[1]", authored("m1", "user", "Hi.", ",\"x\":1e999"),
            R"({"$set":{"activeExtensionName":"e"}})", authored("m2", "user", ""),
            authored("m3", "riddle", "?")});
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
          authored("message-" + std::to_string(i + 100000), i % 2 == 0 ? "user" : "gemini", "x"));
    }
    const auto reader = adapter.open({});
    Collector collector;
    const auto framer = line_framer();
    framer->push(
        log_of(lines), [&](const Record& record) { reader->read(record, collector); },
        [](std::uint64_t, std::uint64_t) {});
    return canonical_json(reader->save()).size();
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

  EXPECT_FALSE(adapter.ignore_reason("/t/p/chats/session-2026-01-01T00-00-abcdef12.jsonl"));
  EXPECT_EQ(adapter.ignore_reason("/t/p/logs.json"), "prompt-history");
  EXPECT_EQ(adapter.ignore_reason("/t/p/checkpoint-x.json"), "checkpoint");
  EXPECT_EQ(adapter.ignore_reason("/t/p/checkpoints/a.json"), "checkpoint");
  EXPECT_EQ(adapter.ignore_reason("/t/p/chats/a.jsonl.tmp-12"), "temporary");
  EXPECT_EQ(adapter.ignore_reason("/t/p/chats/a.jsonl.unreadable-12"), "backup");
  EXPECT_EQ(adapter.ignore_reason("/t/p/tool-outputs/session-a/x.txt"), "tool-result");
  EXPECT_EQ(adapter.ignore_reason("/t/p/.project_root"), "sidecar");
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
