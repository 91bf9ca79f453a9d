// Sessions that Qwen Code really wrote, and those that others made up for their tests, read by
// hand: what must come out is counted in the files themselves.
#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

const std::string kRecorded = "recorded/qwen-code-0.24.4/projects/-home-dev-qwen-proj/";
const std::string kStage =
    "jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/qwen/"
    "019f0000-0000-7000-8000-00000000000";

class QwenReal : public RealFiles {
 protected:
  QwenReal() : RealFiles("qwen", "other-agents") {}
};

TEST_F(QwenReal, ASessionRecordedWithTodaysQwen) {
  const Collector collector = read(kRecorded + "chats/c43a5473-7af2-44d7-99c1-801bbc9e2efa.jsonl");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const Conversation& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "c43a5473-7af2-44d7-99c1-801bbc9e2efa");
  EXPECT_EQ(outline(session),
            "human 8a7bfbdd-63ba-4914-8a35-496337962928: text | "
            "assistant 19960449-d28b-467c-8a03-2ffe3b7761fd: thinking text call call result result "
            "thinking call result call result thinking text *text thinking text");
  EXPECT_EQ(session.facts.title, "MAINWORK: where is the quokka?");
  EXPECT_EQ(session.facts.cwd, "/home/dev/qwen/proj");
  EXPECT_EQ(session.facts.usage, (Usage{500, 100, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"snapshot", 1}, {"telemetry", 12}}));
  const std::string call = "toolu_36qhiwz6t";
  EXPECT_EQ(session.spawned,
            (std::vector<Spawned>{{.call_id = call},
                                  {.call_id = call, .agent = "general-purpose-toolu_36qhiwz6t"}}));
  int errors = 0;
  for (const Block& block : blocks_of(session)) {
    if (block.author == Author::model) {
      EXPECT_EQ(block.model, "mock");
    }
    const auto* result = std::get_if<ToolResult>(&block.body);
    errors += result != nullptr && result->is_error ? 1 : 0;
  }
  EXPECT_EQ(errors, 1);
  const std::vector<Block> blocks = blocks_of(session);
  EXPECT_EQ(std::get<transcript::Thinking>(blocks.at(1).body).text,
            "I should look around first. Wombat plan — ünïcode 思考.");
  EXPECT_EQ(blocks.at(1).recorded, parse_iso8601("2026-11-15T19:17:57.407Z"));
  EXPECT_EQ(std::get<ToolResult>(blocks.at(5).body).call_id, "toolu_18k5yp8zk");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(6).body).text, "the quokka sleeps\n");
  EXPECT_FALSE(std::get<ToolResult>(blocks.at(6).body).details);
}

TEST_F(QwenReal, ItsSubagent) {
  const std::string folder = kRecorded + "subagents/c43a5473-7af2-44d7-99c1-801bbc9e2efa/";
  SourceInfo info{.name = "agent-general-purpose-toolu_36qhiwz6t.jsonl"};
  info.beside = [&](std::string_view name) -> std::optional<std::string> {
    return read_file(root_ / folder / name).value();
  };
  const Collector collector = read(folder + info.name, info);
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.source, "subagent:general-purpose-toolu_36qhiwz6t");
  EXPECT_EQ(outline(session),
            "system 7aa5f339-4695-4f7d-aa9c-ce5e28639bfe: *text | "
            "assistant ec5aee1a-c24c-4c67-996c-cc366df08013: thinking call result text");
  EXPECT_EQ(session.facts.usage, (Usage{200, 40, 0, 0}));
  EXPECT_EQ(session.facts.title, "sub task");
  EXPECT_EQ(session.origins,
            (std::vector<Origin>{{.kind = Origin::Kind::spawned,
                                  .session_id = "c43a5473-7af2-44d7-99c1-801bbc9e2efa",
                                  .call_id = "toolu_36qhiwz6t",
                                  .agent = "general-purpose-toolu_36qhiwz6t"}}));
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(QwenReal, ASessionWithAHookAndANotification) {
  const Collector collector = read(kStage + "1.jsonl");
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human 019f0000-0000-7000-8000-000000000011: text *text | "
            "assistant 019f0000-0000-7000-8000-000000000012: thinking call result text *text");
  EXPECT_EQ(session.facts.git_branch, "fixture-branch");
  EXPECT_EQ(session.facts.title, "Inspect the synthetic fixture.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"telemetry", 1}}));
}

TEST_F(QwenReal, ASessionThatWentBack) {
  const Collector collector = read(kStage + "4.jsonl");
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human 019f0000-0000-7000-8000-000000000041: text | "
            "assistant 019f0000-0000-7000-8000-000000000042: text | "
            "human 019f0000-0000-7000-8000-000000000045<019f0000-0000-7000-8000-000000000041: "
            "text | assistant 019f0000-0000-7000-8000-000000000046: thinking call "
            "Active branch answer.");
  EXPECT_EQ(session.facts.title, "Active branch title");
  EXPECT_EQ(session.facts.cwd, "/tmp/as-qwen-fixture/new-project");
  EXPECT_EQ(session.facts.usage, (Usage{12, 4, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"rewind", 1}, {"snapshot", 1}}));
  EXPECT_EQ(blocks_of(session).back().index, 2u);
}

TEST_F(QwenReal, OtherSessions) {
  const Collector glued = read(kStage + "5.jsonl");
  EXPECT_EQ(outline(glued.conversations.at(0)),
            "human 019f0000-0000-7000-8000-000000000051: text | "
            "assistant 019f0000-0000-7000-8000-000000000052: text");
  EXPECT_TRUE(glued.skipped.empty());

  EXPECT_EQ(outline(read("vshulcz__deja-vu/fixtures/registry/qwen/projects/"
                         "-workspace-registry-demo/chats/registry-qwen.jsonl")
                        .conversations.at(0)),
            "human #1: text | assistant #2: text");

  const Collector contract = read(
      "QwenLM__qwen-code/integration-tests/fixtures/chat-transcript-contract/v1/cases/"
      "representative/chat-records.jsonl");
  EXPECT_EQ(outline(contract.conversations.at(0)),
            "human user-1: Inspect the contract | "
            "assistant assistant-1: thinking The contract is stable. call result");

  const Collector served =
      read("QwenLM__qwen-code/dot-github/scripts/fixtures/serve-ab-session.jsonl");
  EXPECT_EQ(outline(served.conversations.at(0)),
            "human 10000000-0000-4000-8000-000000000001: serve A/B fixture turn | "
            "assistant 10000000-0000-4000-8000-000000000002: serve A/B fixture reply");
  EXPECT_EQ(served.conversations[0].facts.usage, (Usage{5, 3, 0, 0}));
}

bool is_own(const fs::path& path) {
  const std::string name = path.filename().string();
  if (path.extension() != ".jsonl" || name == "daemon-events.jsonl" ||
      name == "acp-session-updates.jsonl") {
    return false;
  }
  const std::string text = path.string();
  return text.find("/qwen/") != std::string::npos ||
         text.find("/qwen-code-") != std::string::npos ||
         text.find("/QwenLM__qwen-code/") != std::string::npos;
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
  void origin(const Origin&) override { is_emitted = true; }
  void spawned(const Spawned&) override {}
  void skip(transcript::Skipped) override { is_emitted = true; }
  void repaired(std::size_t) override {}
};

TEST_F(QwenReal, EveryRecordIsToldOrSkipped) {
  const Adapter& adapter = *find_adapter("qwen");
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
    if (!entry.is_regular_file() || !is_own(entry.path())) continue;
    ++files;
    const std::string bytes = read_file(entry.path()).value();
    const auto reader = adapter.open({});
    const OnRecord record = [&](const Record& found) {
      Account account;
      reader->read(found, account);
      EXPECT_TRUE(account.is_emitted) << entry.path() << ": " << found.line;
    };
    const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
    const auto framer = adapter.frame(head_of(bytes));
    framer->push(bytes, record, oversize);
    framer->end(record, oversize);
  }
  EXPECT_EQ(files, 8);
}

TEST_F(QwenReal, ClaimsItsOwnFilesAndNoOthers) {
  const Adapter& adapter = *find_adapter("qwen");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const Confidence confidence = adapter.recognises(head_of(read_file(entry.path()).value()));
    EXPECT_EQ(confidence != Confidence::no, is_own(entry.path())) << entry.path();
  }
}

}  // namespace
}  // namespace weft::formats
