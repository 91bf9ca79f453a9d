#include <gtest/gtest.h>

#include "weft/formats/adapters/cline/calls.hpp"
#include "weft/formats/adapters/cline/prompt_origin.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using Files = std::map<std::string, std::string>;

const Adapter& adapter() { return *find_adapter("cline"); }
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/cline" / name).value();
}
Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("cline", bytes, info);
}
Conversation read_one(std::string_view bytes, const SourceInfo& info = {}) {
  return read(bytes, info).conversations.at(0);
}
// A file as it lies in a folder with these others.
SourceInfo in_folder(std::string_view name, Files files,
                     std::string_view directory = "/t/tasks/7") {
  return {.name = std::string(name),
          .model = {},
          .directory = std::string(directory),
          .beside = [files](std::string_view asked) -> std::optional<std::string> {
            const auto found = files.find(std::string(asked));
            return found == files.end() ? std::nullopt : std::optional(found->second);
          }};
}
std::string user(std::string_view text) {
  return R"({"role":"user","content":[{"type":"text","text":")" + std::string(text) + "\"}]}";
}

TEST(Cline, ATaskIsThePersonsWordsWhatTheProgramAddsAndWhatTheModelDoes) {
  const Conversation task = read_one(fixture("task.json"));
  EXPECT_EQ(outline(task),
            "human #1: text *text attachment *text | "
            "assistant #2: thinking I look at it. call result | "
            "human #3: Leave the file alone. *text | "
            "assistant rs_1: thinking call result *text compaction compaction It runs.");
  const auto blocks = blocks_of(task);
  EXPECT_EQ(std::get<transcript::Text>(blocks[0].body).text, "Mend the loom.\nIt squeaks.");
  EXPECT_EQ(blocks[2].author, Author::human);
  EXPECT_EQ(blocks[4].model, "m-one");
  EXPECT_EQ(blocks[4].recorded, 1767225601000);
  EXPECT_EQ(task.facts.title, "Mend the loom.");
  EXPECT_EQ(task.facts.cwd, "/srv/loom");
  EXPECT_EQ(task.facts.usage, (transcript::Usage{10, 3, 1, 0}));
  EXPECT_EQ(task.heading.program, "cline");
  EXPECT_TRUE(task.heading.provider.empty());
}

TEST(Cline, WordsThatAResultQuotesArePersonsAndAreNotToldTwice) {
  const auto blocks = blocks_of(read_one(fixture("task.json")));
  const auto& denied = std::get<ToolResult>(blocks.at(7).body);
  EXPECT_EQ(denied.text, "The user denied this operation and provided the following feedback:");
  EXPECT_EQ(denied.call_id, "toolu_1");
  const auto& oiled = std::get<ToolResult>(blocks.at(12).body);
  EXPECT_EQ(oiled.text, "Oiled.");
  EXPECT_EQ(blocks.at(13).author, Author::program);
}

TEST(Cline, ReasoningOfOtherProvidersIsThinkingWithItsSummaries) {
  const auto blocks = blocks_of(read_one(fixture("task.json")));
  const auto& thinking = std::get<transcript::Thinking>(blocks.at(10).body);
  EXPECT_EQ(thinking.summaries, (std::vector<std::string>{"They refuse."}));
  EXPECT_EQ(thinking.signature, "ZW5j");
  EXPECT_EQ(blocks.at(10).source_id, "rs_1");
  // It is one step with the message that follows.
  EXPECT_EQ(blocks.at(10).message_id, blocks.at(11).message_id);
}

TEST(Cline, WhatStandsForHiddenMessagesIsACompaction) {
  const auto blocks = blocks_of(read_one(fixture("task.json")));
  EXPECT_EQ(std::get<transcript::Compaction>(blocks.at(14).body).summary,
            "## Summary\nThe loom was oiled.");
  EXPECT_EQ(std::get<transcript::Compaction>(blocks.at(15).body).summary, "[Hidden: 2 messages]");
}

TEST(Cline, ACallThatSetsASubtaskIsNamed) {
  EXPECT_EQ(read_one(fixture("task.json")).spawned,
            (std::vector<transcript::Spawned>{{.call_id = "toolu_2"}}));
}

TEST(Cline, CallsInTagsAreCallsWhereTheyCanBeTakenOutExactly) {
  const Conversation task = read_one(fixture("tags.json"));
  EXPECT_EQ(outline(task),
            "human #1: Name the threads. *text | "
            "assistant #2: thinking I read the list. call result *text call result | "
            "human #5: blue | assistant #6: text *text call");
  const auto blocks = blocks_of(task);
  const auto& call = std::get<ToolCall>(blocks.at(4).body);
  EXPECT_EQ(call.name, "read_file");
  EXPECT_EQ(call.input, (json::value{{"path", "threads.txt"}}));
  const auto& result = std::get<ToolResult>(blocks.at(5).body);
  EXPECT_EQ(result.name, "read_file");
  EXPECT_EQ(result.text, "red <task> blue");
  EXPECT_FALSE(result.parts);
}

TEST(Cline, ATextWhoseCallIsAmbiguousStaysWhole) {
  for (const std::string_view text :
       {"<write_to_file><path>a</path><content>x</content> y</content></write_to_file>",
        "<read_file><path>a</path></read_file> and then?", "<read_file><path>a</path>",
        "<read_file>a</read_file>", "<div>a</div>",
        "<read_file><path>a</path></read_file><read_file><path>b</path></read_file>"}) {
    const auto blocks = cline::parse_model_text(text);
    ASSERT_EQ(blocks.size(), 1u) << text;
    EXPECT_EQ(std::get<transcript::Text>(blocks[0].body).text, text);
  }
}

TEST(Cline, AnEnvelopeThatAFileQuotesIsNoPersonsWord) {
  const std::string quoting = "<feedback>\nnice\n</feedback>\nand more";
  EXPECT_FALSE(cline::find_words_in_result(quoting).words);
  EXPECT_FALSE(cline::find_words_in_result("int a;\n<answer>\n42\n</answer>").words);
  EXPECT_EQ(cline::find_words_in_result("<answer>\n42\n</answer>").words, "42");
  EXPECT_EQ(cline::find_words("<user_command slash=\"review\">all</user_command>").words,
            "/review all");
  EXPECT_EQ(cline::find_words("<task>\ncut of").words, "cut of");
  EXPECT_FALSE(cline::find_words("a <task> b").words);
}

TEST(Cline, WhatWasShownIsTheTaskWhereItsMessagesAreGone) {
  const Collector collector = read(fixture("shown.json"), in_folder("ui_messages.json", {}));
  const Conversation& task = collector.conversations.at(0);
  EXPECT_EQ(outline(task),
            "human #1: Wind the wool. attachment | "
            "assistant #3: thinking I wind it. call result call call | human #12: Loose. | "
            "assistant #13: *unknown The wool is wound.");
  EXPECT_EQ(task.heading.session_id, "7");
  EXPECT_EQ(task.facts.usage, (transcript::Usage{15, 5, 1, 2}));
  EXPECT_EQ(task.facts.title, "Wind the wool.");
  const auto blocks = blocks_of(task);
  EXPECT_EQ(std::get<transcript::Attachment>(blocks.at(1).body).mime, "image/png");
  EXPECT_EQ(blocks.at(2).message_id, "#2");
  EXPECT_EQ(blocks.at(3).message_id, "#2");
  EXPECT_EQ(blocks.at(7).message_id, "#10");
  EXPECT_EQ(std::get<ToolCall>(blocks.at(6).body).name, "readFile");
  // Of a text that came in pieces the last one is all of it.
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"partial", 1}, {"progress", 2}}));
  EXPECT_EQ(collector.skipped.at(0).line, 5u);
}

TEST(Cline, WhatWasShownIsAMirrorBesideTheMessages) {
  const std::string history = "[" + user("<task>\\nHi\\n</task>") + "]";
  const Collector collector =
      read(fixture("shown.json"),
           in_folder("ui_messages.json", {{"api_conversation_history.json", history}}));
  EXPECT_TRUE(collector.conversations.empty());
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 15}}));
  // A task that was cancelled early has an empty list.
  EXPECT_EQ(read(fixture("shown.json"),
                 in_folder("ui_messages.json", {{"api_conversation_history.json", "[]"}}))
                .conversations.size(),
            1u);
}

TEST(Cline, TimesAndUsageComeFromWhatWasShown) {
  const Conversation task = read_one(
      fixture("tags.json"),
      in_folder(
          "api_conversation_history.json",
          {{"ui_messages.json", fixture("shown.json")},
           {"task_metadata.json",
            R"({"model_usage":[{"ts":1767225608000,"model_id":"m-2"},{"ts":1,"model_id":"m-1"}]})"}},
          "/h/globalStorage/rooveterinaryinc.roo-cline/tasks/9"));
  EXPECT_EQ(task.heading.program, "roo-code");
  EXPECT_EQ(task.heading.session_id, "9");
  EXPECT_EQ(task.facts.usage, (transcript::Usage{15, 5, 1, 2}));
  EXPECT_EQ(task.facts.updated_at, 1767225613000);
  const auto blocks = blocks_of(task);
  EXPECT_EQ(blocks.at(0).recorded, 1767225601000);
  EXPECT_EQ(blocks.at(3).recorded, 1767225601000);
  EXPECT_EQ(blocks.at(3).model, "m-1");
  EXPECT_EQ(blocks.at(5).recorded, 1767225608000);
  EXPECT_EQ(blocks.at(7).model, "m-2");
  EXPECT_EQ(blocks.back().recorded, std::nullopt);
}

TEST(Cline, RequestsSayAfterWhichMessageTheyBegan) {
  const std::string ui =
      R"([{"ts":1767225601000,"type":"say","say":"api_req_started","text":"{}","conversationHistoryIndex":-1},)"
      R"({"ts":1767225602000,"type":"say","say":"api_req_started","text":"{}","conversationHistoryIndex":-1},)"
      R"({"ts":1767225603000,"type":"say","say":"api_req_started","text":"{}","conversationHistoryIndex":1}])";
  const auto blocks =
      blocks_of(read_one(fixture("tags.json"),
                         in_folder("api_conversation_history.json", {{"ui_messages.json", ui}})));
  EXPECT_EQ(blocks.at(0).recorded, 1767225602000);
  EXPECT_EQ(blocks.at(3).recorded, 1767225602000);
  EXPECT_EQ(blocks.at(5).recorded, 1767225603000);
}

TEST(Cline, ASubtaskIsOfTheTaskThatSetIt) {
  const std::string item =
      R"({"id":"7","task":"Oil it","workspace":"/srv/loom","parentTaskId":"6","rootTaskId":"6"})";
  const Conversation task =
      read_one("[" + user("<task>\\nOil it\\n</task>") + "]",
               in_folder("api_conversation_history.json", {{"history_item.json", item}}));
  EXPECT_EQ(task.heading.session_id, "6");
  EXPECT_EQ(task.heading.source, "subagent:7");
  EXPECT_EQ(task.origins, (std::vector<Origin>{{.session_id = "6", .agent = "7"}}));
  EXPECT_EQ(outline(task), "system #1: *Oil it");
  EXPECT_EQ(task.facts.cwd, "/srv/loom");
  EXPECT_EQ(task.facts.project, "loom");
  EXPECT_EQ(task.facts.title, "Oil it");
}

TEST(Cline, AnIndexKnowsATask) {
  const std::string index =
      R"({"entries":[{"id":"6","task":"x"},{"id":"7","task":"<task>\nY\n</task>"}]})";
  EXPECT_EQ(read_one("[" + user("Z") + "]",
                     in_folder("api_conversation_history.json", {{"../_index.json", index}}))
                .facts.title,
            "Y");
}

TEST(Cline, ASession) {
  const Collector collector = read(fixture("session.messages.json"));
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "system system_prompt: *You help with wool. | "
            "human m1: *text Sort @wool.txt attachment | "
            "assistant m2: thinking I sort it. call result Sorted. compaction | "
            "human m6: Thanks. *text");
  EXPECT_EQ(session.heading.session_id, "s-wool");
  EXPECT_EQ(session.facts.usage, (transcript::Usage{29, 6, 10, 2}));
  EXPECT_EQ(session.facts.updated_at, parse_iso8601("2026-01-01T00:00:09Z"));
  const auto blocks = blocks_of(session);
  const auto& file = std::get<transcript::Attachment>(blocks.at(3).body);
  EXPECT_EQ(file.name, "wool.txt");
  EXPECT_EQ(file.text, "grey");
  const auto& result = std::get<ToolResult>(blocks.at(7).body);
  EXPECT_EQ(result.name, "run_commands");
  EXPECT_EQ(result.text, "grey\nno comb");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.parts->size(), 2u);
  // The version, and who the agent is.
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 2}}));
}

TEST(Cline, ASessionsManifestSaysWhatItIsCalledAndWhereItComesFrom) {
  const auto with = [](std::string_view manifest) {
    return read_one(fixture("session.messages.json"),
                    in_folder("a.messages.json", {{"a.json", std::string(manifest)}}));
  };
  const Conversation fork = with(
      R"({"session_id":"s-wool","cwd":"/srv/wool","model":"m","metadata":{"title":"Wool","fork":{"forkedFromSessionId":"s-0"}}})");
  EXPECT_EQ(fork.facts.title, "Wool");
  EXPECT_EQ(fork.facts.cwd, "/srv/wool");
  EXPECT_EQ(fork.origins,
            (std::vector<Origin>{{.kind = Origin::Kind::continued, .session_id = "s-0"}}));
  EXPECT_EQ(blocks_of(fork).at(8).model, "m");
  const Conversation child = with(
      R"({"session_id":"s-wool","parent_session_id":"s-0","agent_id":"ag","is_subagent":true})");
  EXPECT_EQ(child.heading.session_id, "s-0");
  EXPECT_EQ(child.heading.source, "subagent:ag");
  EXPECT_EQ(child.origins, (std::vector<Origin>{{.session_id = "s-0", .agent = "ag"}}));
}

TEST(Cline, IsRecognisedByWhatOnlyItWrites) {
  const std::string plain = R"({"role":"user","content":"Hi"})";
  EXPECT_EQ(adapter().recognises("[" + plain + "]"), Confidence::no);
  EXPECT_EQ(adapter().recognises("[" + user("<task>\\nHi\\n</task>") + "]"), Confidence::yes);
  EXPECT_EQ(
      find_adapter("anthropic-messages")
          ->recognises(
              "[" + user("<task>\\nHi\\n</task>") +
              R"(,{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]}])"),
      Confidence::no);
  EXPECT_EQ(adapter().recognises(R"([{"role":"user","content":"Hi","ts":1767225600000}])"),
            Confidence::maybe);
  EXPECT_EQ(adapter().recognises(R"([{"role":"user","content":"Hi","condenseParent":"c"}])"),
            Confidence::yes);
  EXPECT_EQ(adapter().recognises(R"([{"ts":1,"type":"ask","ask":"tool"})"), Confidence::yes);
  EXPECT_EQ(adapter().recognises(
                R"({"version":1,"updated_at":"t","agent":"a","sessionId":"s","messages":[]})"),
            Confidence::yes);
  EXPECT_EQ(adapter().recognises(R"({"sessionId":"s","projectHash":"h","messages":[]})"),
            Confidence::no);
}

TEST(Cline, LeavesSidecarsAlone) {
  const auto ignore_reason = [](std::string_view path) {
    return adapter().ignore_reason(path).value_or("");
  };
  EXPECT_EQ(ignore_reason("/h/tasks/7/api_conversation_history.json"), "");
  EXPECT_EQ(ignore_reason("/h/tasks/7/ui_messages.json"), "");
  EXPECT_EQ(ignore_reason("/h/sessions/s/s.messages.json"), "");
  EXPECT_EQ(ignore_reason("/h/sessions/s/s.json"), "sidecar");
  EXPECT_EQ(ignore_reason("/h/sessions/s/s.compaction.json"), "sidecar");
  EXPECT_EQ(ignore_reason("/h/tasks/7/task_metadata.json"), "sidecar");
  EXPECT_EQ(ignore_reason("/h/tasks/_index.json"), "sidecar");
}

TEST(Cline, SaysWhereItsFilesLie) {
  const auto folders = adapter().folders([](std::string_view name) -> std::optional<std::string> {
    if (name != "HOME") return std::nullopt;
    return "/h";
  });
  for (const char* folder :
       {"/h/.cline/data/tasks", "/h/.cline/data/sessions",
        "/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks",
        "/h/.vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks",
        "/h/.config/VSCodium/User/globalStorage/kilocode.kilo-code/tasks"}) {
    EXPECT_NE(std::ranges::find(folders, folder), folders.end()) << folder;
  }
  EXPECT_EQ(adapter().project("/h/tasks/7/api_conversation_history.json", fixture("task.json")),
            "loom");
  EXPECT_EQ(adapter().project("/h/tasks/7/ui_messages.json", "[]"), "");
}

}  // namespace
}  // namespace weft::formats
