// Chats that Gemini CLI really wrote, and those that others made up for their tests, read by
// hand: what must come out is counted in the files themselves.
#include <gtest/gtest.h>

#include <set>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

const std::string kMade = "jnarowski__agentcmd/packages/agent-cli-sdk/tests/fixtures/gemini/";
const std::string kStage = "jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/gemini/";
const std::string kViewer = "kenn-io__agentsview/internal/parser/testdata/gemini/";

class GeminiReal : public RealFiles {
 protected:
  GeminiReal() : RealFiles("gemini", "gemini-cli") {}
};

int errors_in(const Conversation& chat) {
  int errors = 0;
  for (const Block& block : blocks_of(chat)) {
    const auto* result = std::get_if<ToolResult>(&block.body);
    errors += result != nullptr && result->is_error ? 1 : 0;
  }
  return errors;
}

TEST_F(GeminiReal, AChatRecordedWithTodaysGemini) {
  const Collector collector =
      read("recorded/gemini-cli-0.61.0/tmp/proj/chats/session-2026-11-15T19-17-b7006cfe.jsonl");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const Conversation& chat = collector.conversations[0];
  EXPECT_EQ(chat.heading.session_id, "b7006cfe-b9dc-4461-97c3-875e7f5c3005");
  EXPECT_EQ(chat.heading.source, "primary");
  EXPECT_EQ(outline(chat),
            "system d04923d38bb0f6017037e74183378ef4: *text | "
            "human 41c1522e-c3be-40b1-bf52-f1ada63473c5: text | "
            "assistant 36f0fb39-6b46-4241-a9be-c1f2560de150: thinking text call result call result "
            "call result call result thinking text");
  EXPECT_EQ(chat.facts.title, "MAINWORK: where is the quokka?");
  EXPECT_EQ(chat.facts.cwd, "/home/dev/gemini/proj");
  EXPECT_EQ(chat.facts.updated_at, parse_iso8601("2026-11-15T19:17:52.990Z"));
  // Four answers, told seven times: 100 in, 20 of words and 5 of thoughts out.
  EXPECT_EQ(chat.facts.usage, (Usage{4 * 100, 4 * (20 + 5), 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 3}}));
  EXPECT_EQ(errors_in(chat), 0);  // the shell failed, the tool did not

  const std::vector<Block> blocks = blocks_of(chat);
  const auto& thought = std::get<transcript::Thinking>(blocks.at(2).body);
  EXPECT_EQ(thought.summaries.at(0),
            "Plan\nI should look around first. Wombat plan — ünïcode 思考.");
  EXPECT_EQ(blocks.at(2).start, parse_iso8601("2026-11-15T19:17:52.784Z"));
  const auto& shell = std::get<ToolCall>(blocks.at(4).body);
  EXPECT_EQ(shell.id, "run_shell_command__toolu_1dr9fwzvi");
  EXPECT_EQ(shell.description, "run");
  EXPECT_EQ(shell.display_text, "echo hello-capybara && ls");
  const auto& printed = std::get<ToolResult>(blocks.at(5).body);
  EXPECT_EQ(printed.call_id, shell.id);
  EXPECT_NE(printed.text.find("hello-capybara\nnotes.txt"), std::string::npos);
  EXPECT_EQ(blocks.at(5).recorded, parse_iso8601("2026-11-15T19:17:52.841Z"));
  EXPECT_EQ(std::get<ToolResult>(blocks.at(7).body).text, "the quokka sleeps\n");
  for (const Block& block : blocks) {
    if (block.author == Author::model) {
      EXPECT_EQ(block.model, "gemini-2.5-pro");
    }
  }
}

TEST_F(GeminiReal, AChatThatChangedAFile) {
  const Collector collector = read(kMade + "full/session-2025-10-29T10-36-453aa339.json");
  const Conversation& chat = collector.conversations.at(0);
  EXPECT_EQ(chat.heading.session_id, "453aa339-7d2b-4709-a41a-b0b73beaff85");
  EXPECT_EQ(outline(chat),
            "human 6524ae69-ab6c-4977-ae57-8edc41b37c61: text | "
            "assistant 80aec7c7-87cd-4812-ae58-bf135c0422b5: thinking thinking call result "
            "thinking thinking call result thinking call result thinking Done.");
  // What was said, and what was thought.
  EXPECT_EQ(chat.facts.usage, (Usage{5367 + 5393 + 5454 + 5480,
                                     (18 + 39 + 18 + 2) + (244 + 151 + 43 + 48), 4029, 0}));
  EXPECT_EQ(chat.facts.title, "Change 'Hello' to 'Goodbye' in /tmp/gemini-test/created.txt");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 2}}));
  const std::vector<Block> blocks = blocks_of(chat);
  EXPECT_EQ(std::get<ToolCall>(blocks.at(7).body).name, "replace");
  EXPECT_EQ(blocks.at(7).message_id, "70c0913d-2ece-4158-a156-4118988540ec");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(11).body).text, "Goodbye from Gemini CLI");
  EXPECT_EQ(blocks.at(0).recorded, parse_iso8601("2025-10-29T10:37:00.099Z"));
}

TEST_F(GeminiReal, AChatWhoseToolWasNotThere) {
  const Collector collector = read(kMade + "full/session-2025-10-29T10-39-a63242d9.json");
  const Conversation& chat = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(chat), (Counts{{"text", 1}, {"thinking", 2}, {"call", 1}, {"result", 1}}));
  EXPECT_EQ(errors_in(chat), 1);
  EXPECT_EQ(chat.facts.usage, (Usage{4657, 20 + 131, 0, 0}));
}

TEST_F(GeminiReal, AChatOfFourPrompts) {
  const Collector collector = read("es617__claude-replay/test/fixture-gemini.json");
  const Conversation& chat = collector.conversations.at(0);
  EXPECT_EQ(
      outline(chat),
      "human msg-001: text | assistant msg-002: thinking thinking text call result | "
      "human msg-003: Read the README.md file | assistant msg-004: call result thinking text | "
      "human msg-006: Thanks! | assistant msg-007: text | "
      "human msg-008: Run a failing command | assistant msg-009: text call result");
  // Five answers, of which the first and the third were thought about.
  EXPECT_EQ(chat.facts.usage,
            (Usage{150 + 200 + 250 + 300 + 350, (45 + 60 + 30 + 15 + 20) + (30 + 15),
                   50 + 100 + 200 + 250, 0}));
  EXPECT_EQ(errors_in(chat), 1);
  const std::vector<Block> blocks = blocks_of(chat);
  EXPECT_EQ(std::get<ToolResult>(blocks.back().body).text,
            "cat: nonexistent.txt: No such file or directory");
}

TEST_F(GeminiReal, ChatsOfOtherShapes) {
  const Collector large = read(kStage + "large.json");
  EXPECT_EQ(outline(large.conversations.at(0)),
            "human m1: Run a command | assistant m2: thinking call result call result "
            "*Request cancelled. text | human m5: Step 1 | assistant m6: Ok");
  EXPECT_EQ(large.conversations[0].facts.usage, (Usage{100, 10, 0, 0}));
  EXPECT_EQ(reasons_of(large.skipped), (Counts{{"internal", 2}, {"unmapped member", 1}}));

  const Collector drift = read(kStage + "schema_drift.json");
  EXPECT_EQ(outline(drift.conversations.at(0)),
            "human #1: Describe this image: attachment | assistant #2: It looks like...");
  EXPECT_EQ(drift.conversations[0].facts.title, "Redacted session summary");

  const Collector log = read(kStage + "jsonl_v040.jsonl");
  EXPECT_EQ(outline(log.conversations.at(0)),
            "human g-user-1: text | assistant g-assistant-1: call result text");
  EXPECT_EQ(log.conversations[0].facts.usage, (Usage{11855 + 12069, 81 + 147, 11502, 0}));
  EXPECT_TRUE(log.skipped.empty());

  EXPECT_EQ(outline(read(kViewer + "system_messages.json").conversations.at(0)),
            "system i1: *Starting session *failure *Some warning");
  EXPECT_EQ(outline(read(kViewer + "thinking_only.json").conversations.at(0)),
            "human u1: Explain how this works | assistant a1: thinking thinking text");
  EXPECT_EQ(outline(read(kViewer + "tool_calls_with_results.json").conversations.at(0)),
            "human u1: Read the planning doc | "
            "assistant a1: thinking Let me read that file. call result call result");
  EXPECT_EQ(outline(read("Sinity__polylogue/tests/fixtures/origin-capability/"
                         "gemini-cli-session.json")
                        .conversations.at(0)),
            "human user-1: Prove the parser claim. | assistant assistant-1: text");
}

TEST_F(GeminiReal, MessagesByThemselves) {
  EXPECT_EQ(outline(read(kMade + "individual/tool-result-error.json").conversations.at(0)),
            "assistant 0a121a1b-2c3e-4105-8ad1-3551e71ae3fa: thinking text call result");
  EXPECT_EQ(outline(read(kMade + "individual/tool-replace.json").conversations.at(0)),
            "assistant 70c0913d-2ece-4158-a156-4118988540ec: thinking thinking call result");
}

// Which records were told or skipped, while they are read.
class Account : public transcript::Sink {
 public:
  bool is_emitted = false;
  void heading(const transcript::Heading&) override {}
  void turn(const transcript::TurnHead&) override {}
  void block(Block&&) override { is_emitted = true; }
  void facts(const transcript::Facts&) override { is_emitted = true; }
  void request(const transcript::Request&) override { is_emitted = true; }
  void origin(const transcript::Origin&) override {}
  void spawned(const transcript::Spawned&) override {}
  void skip(transcript::Skipped) override { is_emitted = true; }
  void repaired(std::size_t) override {}
};

TEST_F(GeminiReal, EveryRecordIsToldOrSkipped) {
  const Adapter& adapter = *find_adapter("gemini");
  // What makes the heading is told with the first message.
  const std::set<std::string_view> kHeading = {"sessionId", "kind", "lastUpdated", "summary"};
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = read_file(entry.path()).value();
    if (adapter.recognises(head_of(bytes)) == Confidence::no) continue;
    ++files;
    const auto reader = adapter.open({});
    const OnRecord record = [&](const Record& found) {
      Account account;
      reader->read(found, account);
      if (found.member.empty() && found.text.find("\"projectHash\"") == std::string_view::npos) {
        EXPECT_TRUE(account.is_emitted) << entry.path() << ": " << found.line;
      } else if (!account.is_emitted && !found.member.empty()) {
        EXPECT_TRUE(kHeading.contains(found.member)) << entry.path() << ": " << found.member;
      }
    };
    const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
    const auto framer = adapter.frame(head_of(bytes));
    framer->push(bytes, record, oversize);
    framer->end(record, oversize);
  }
  EXPECT_EQ(files, 18);
}

TEST_F(GeminiReal, ClaimsItsOwnFilesAndNoOthers) {
  const Adapter& adapter = *find_adapter("gemini");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    const bool is_own =
        path.find("/gemini-cli/") != std::string::npos && entry.path().filename() != "SOURCES.md";
    const Confidence confidence = adapter.recognises(head_of(read_file(entry.path()).value()));
    EXPECT_EQ(confidence != Confidence::no, is_own) << path;
  }
}

}  // namespace
}  // namespace weft::formats
