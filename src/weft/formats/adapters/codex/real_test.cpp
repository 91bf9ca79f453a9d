// Sessions that Codex really wrote, read by hand: what must come out is counted in the files
// themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

constexpr std::string_view kFull =
    "jnarowski__agentcmd/packages/agent-cli-sdk/tests/fixtures/codex/full/";

class CodexReal : public RealFiles {
 protected:
  CodexReal() : RealFiles("codex", "codex-cli") {}
};

TEST_F(CodexReal, ASessionOfAnEditorWithTwoPrompts) {
  const Collector read_so_far =
      read(std::string(kFull) +
           "rollout-2025-09-24T20-12-23-01997ea4-a70d-7da3-8c20-c736db82a7c5.jsonl");
  ASSERT_EQ(read_so_far.conversations.size(), 1u);
  const Conversation& session = read_so_far.conversations[0];
  EXPECT_EQ(session.heading.session_id, "01997ea4-a70d-7da3-8c20-c736db82a7c5");
  EXPECT_EQ(session.heading.source, "primary");
  EXPECT_EQ(session.facts.cwd, "~/Dev/spectora/src/spectora-labs-monorepo-v2");
  EXPECT_EQ(session.facts.usage, (Usage{149449, 4808, 120192, 0}));
  EXPECT_EQ(kinds_of(session),
            (Counts{{"text", 1 + 2 + 2 + 2},  // environment, context, words, answers
                    {"attachment", 1},
                    {"thinking", 17},
                    {"call", 16},
                    {"result", 16}}));
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 18}, {"mirror", 17 + 2 + 2}}));
  ASSERT_EQ(session.turns.size(), 5u);
  EXPECT_EQ(session.turns[0].head.role, transcript::Role::system);
  EXPECT_EQ(session.turns[1].head.source_id, "#3");
  EXPECT_EQ(session.turns[2].head.source_id, "#6");  // the first thought was shown there
  EXPECT_EQ(session.turns[3].head.source_id, "#105");
  EXPECT_EQ(session.turns[0].blocks[0].recorded, parse_iso8601("2025-09-25T02:12:23.966Z"));
  EXPECT_EQ(session.turns[1].blocks[0].author, Author::program);
  EXPECT_EQ(session.turns[1].blocks[1].author, Author::human);

  std::set<std::string> calls;
  int errors = 0;
  for (const Block& block : blocks_of(session)) {
    if (block.author == Author::model) {
      EXPECT_EQ(block.model, "gpt-5-codex");
    }
    if (const auto* thought = std::get_if<transcript::Thinking>(&block.body)) {
      EXPECT_EQ(thought->summaries.size(), 1u);
      EXPECT_TRUE(thought->signature.value_or("").starts_with("gAAAA"));
      EXPECT_TRUE(thought->text.empty());
    }
    if (const auto* call = std::get_if<ToolCall>(&block.body)) {
      EXPECT_EQ(call->name, "shell");
      EXPECT_TRUE(call->input.is_object());
      calls.insert(call->id);
    }
    const auto* result = std::get_if<ToolResult>(&block.body);
    if (result == nullptr) continue;
    EXPECT_TRUE(calls.contains(result->call_id));
    EXPECT_TRUE(result->details);
    errors += result->is_error ? 1 : 0;
  }
  EXPECT_EQ(calls.size(), 16u);
  EXPECT_EQ(errors, 3);
}

TEST_F(CodexReal, ASessionWhoseTotalsBeganAnew) {
  const Collector read_so_far =
      read(std::string(kFull) +
           "rollout-2025-09-25T08-02-05-0199812e-64f0-7f73-91fc-095dda01c36e.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  // The last total says 37208 and 335.
  EXPECT_EQ(session.facts.usage, (Usage{1392279, 8672, 1310208, 0}));
  EXPECT_EQ(kinds_of(session), (Counts{{"text", 2 + 2 + 2 + 1},
                                       {"thinking", 57},
                                       {"redacted", 1},
                                       {"call", 57},
                                       {"result", 57}}));
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 59}, {"mirror", 57 + 2 + 1}}));
  ASSERT_EQ(session.turns.size(), 5u);
  EXPECT_EQ(session.turns[2].blocks.back().source_id, "#347");  // the environment once more
  EXPECT_EQ(session.turns[3].head.source_id, "#348");
  int errors = 0;
  for (const Block& block : blocks_of(session)) {
    const auto* result = std::get_if<ToolResult>(&block.body);
    errors += result != nullptr && result->is_error ? 1 : 0;
  }
  EXPECT_EQ(errors, 12);  // those that the sandbox refused
}

TEST_F(CodexReal, ASessionWithOnePrompt) {
  const Collector read_so_far =
      read(std::string(kFull) +
           "rollout-2025-09-25T15-12-14-019982b8-3422-79e0-8b3b-05abaf4f3c3e.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.facts.usage, (Usage{536834, 6654, 472320, 0}));
  EXPECT_EQ(kinds_of(session),
            (Counts{{"text", 4}, {"thinking", 32}, {"redacted", 1}, {"call", 34}, {"result", 34}}));
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 35}, {"mirror", 34}}));
  EXPECT_EQ(session.turns.size(), 3u);
}

TEST_F(CodexReal, ASessionRecordedWithTodaysCodex) {
  const Collector read_so_far = read(
      "recorded/codex-0.166.0/sessions/2026/11/15/"
      "rollout-2026-11-15T19-17-42-01a1e0a4-d88c-7b42-b401-73339189c508.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "01a1e0a4-d88c-7b42-b401-73339189c508");
  EXPECT_EQ(session.facts.title, "MAINWORK: where is the quokka?");
  EXPECT_EQ(session.facts.cwd, "/home/dev/codex/proj");
  EXPECT_EQ(session.facts.usage, (Usage{200, 40, 20, 0}));
  EXPECT_EQ(outline(session),
            "system #1: *text *text *text *text | "
            "human msg_01a1e0a4-d8f6-7901-b580-7f4aba1ce515: text | "
            "assistant rs_3a0k8ovir: thinking text call result thinking text");
  // task, world, context, settings, task; six shown items and two records of usage
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 5}, {"mirror", 8}}));
  const std::vector<Block> blocks = blocks_of(session);
  const auto& thought = std::get<transcript::Thinking>(blocks.at(5).body);
  EXPECT_EQ(thought.signature, "U0lHb25l");
  EXPECT_EQ(thought.summaries.at(0), "I should look around first. Wombat plan — ünïcode 思考.");
  EXPECT_EQ(blocks.at(5).model, "mock");
  EXPECT_EQ(blocks.at(5).recorded, parse_iso8601("2026-11-15T19:17:42.291Z"));
  EXPECT_EQ(std::get<ToolCall>(blocks.at(7).body).name, "exec_command");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(8).body).call_id, "toolu_110h9yiy0");
  EXPECT_FALSE(std::get<ToolResult>(blocks.at(8).body).is_error);
}

TEST_F(CodexReal, ASubagentThatSpawnsAnother) {
  const Collector read_so_far =
      read("kenn-io__agentsview/internal/parser/testdata/traex/rollout_subagent.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "019fbc4a-48b9-7472-a0da-6d92901383db");
  EXPECT_EQ(session.heading.source, "subagent:019fbcca-9fd4-7d20-83dc-0762b2f839b3");
  EXPECT_EQ(session.origins,
            (std::vector<Origin>{{.kind = Origin::Kind::spawned,
                                  .session_id = "019fbc4a-48b9-7472-a0da-6d92901383db",
                                  .agent = "019fbcca-9fd4-7d20-83dc-0762b2f839b3"}}));
  ASSERT_FALSE(session.spawned.empty());
  EXPECT_EQ(session.spawned.back(),
            (Spawned{"call_spawn_1", "019fbcd0-1111-7000-8000-000000000001"}));
  // Nobody in it is human; the thought stands in an event only.
  EXPECT_EQ(outline(session),
            "system #1: *text *text | "
            "assistant #6: redacted thinking call result call result call result text");
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 4}, {"mirror", 2}}));
  EXPECT_EQ(session.facts.usage, (Usage{4200, 180, 3600, 0}));
  EXPECT_EQ(session.facts.git_branch, "main");
}

TEST_F(CodexReal, ASessionWhosePromptsStandInEventsOnly) {
  const Collector read_so_far = read("es617__claude-replay/test/fixture-codex-edges.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human #3: text | assistant #4: call Ran the command. | human #8: text | "
            "assistant #9: Okay, doing it. | human #12: text | "
            "assistant #13: First thought. Second thought. Third thought. Final answer here. | "
            "human #19: text | assistant #20: Working on it... Almost done.");
  EXPECT_EQ(session.facts.title, "pending tool call");
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 7}}));
}

TEST_F(CodexReal, ExecsOutput) {
  const Collector read_so_far =
      read("meawoppl__rust-code-agent-sdks/codex-codes/test_cases/captures/file_change.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "019c8143-62bb-7e43-8f0a-66dac76af4d4");
  EXPECT_EQ(outline(session),
            "assistant #exec-3: thinking text thinking call result thinking text call result text");
  EXPECT_EQ(session.facts.usage, (Usage{22857, 250, 20736, 0}));
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 1}, {"progress", 1}}));
}

TEST_F(CodexReal, AnEarlyDraft) {
  const Collector read_so_far =
      read("jazzyalex__agent-sessions/Resources/Fixtures/session_branch.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_TRUE(session.heading.session_id.starts_with("b3:"));
  EXPECT_EQ(outline(session),
            "human #1: What branch am I on? | assistant #2: call result You're on main. *failure");
  EXPECT_EQ(session.turns[1].blocks[0].model, "gpt-4o-mini");
  EXPECT_EQ(std::get<ToolResult>(session.turns[1].blocks[1].body).name, "git");
}

TEST_F(CodexReal, CallsThatShareAnId) {
  const Collector read_so_far = read("letta-ai__trajectory/fixtures/codex/cleanup/input.jsonl");
  EXPECT_EQ(outline(read_so_far.conversations.at(0)),
            "human #2: inspect both files | "
            "assistant #3: call call result result result result Inspected both files.");
  EXPECT_EQ(read_so_far.skipped.size(), 1u);
}

// Which lines were told or skipped, while they are read.
class Account : public transcript::Sink {
 public:
  std::set<std::uint64_t> lines;
  std::uint64_t current = 0;

  void heading(const transcript::Heading&) override {}
  void turn(const transcript::TurnHead&) override {}
  void block(Block&& block) override {
    lines.insert(current);
    // An event that has waited.
    if (block.source_id.starts_with('#')) {
      const std::size_t digit = block.source_id.find_first_of("0123456789");
      lines.insert(std::stoull(block.source_id.substr(digit)));
    }
  }
  void facts(const transcript::Facts&) override { lines.insert(current); }
  void request(const transcript::Request&) override { lines.insert(current); }
  void origin(const Origin&) override {}
  void spawned(const Spawned&) override {}
  void skip(transcript::Skipped skipped) override { lines.insert(skipped.line); }
  void repaired(std::size_t) override {}
};

TEST_F(CodexReal, EveryLineIsToldOrSkipped) {
  const Adapter& adapter = *find_adapter("codex");
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = read_file(entry.path()).value();
    if (adapter.recognises(head_of(bytes)) == Confidence::no) continue;
    ++files;
    Account account;
    const auto reader = adapter.open({});
    std::set<std::uint64_t> all;
    const auto framer = line_framer();
    const OnRecord record = [&](const Record& found) {
      all.insert(found.line);
      account.current = found.line;
      reader->read(found, account);
    };
    const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
    framer->push(bytes, record, oversize);
    framer->end(record, oversize);
    reader->finish(account);
    for (const std::uint64_t line : all) {
      // A header may have nothing to tell but who it is.
      if (line > 1) {
        EXPECT_TRUE(account.lines.contains(line)) << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_EQ(files, 43);
}

TEST_F(CodexReal, ClaimsItsOwnFilesAndNoOthers) {
  const Adapter& adapter = *find_adapter("codex");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    const std::string name = entry.path().filename().string();
    // Prompts alone, a log of the screen, and the list of sources.
    const bool is_own = path.find("/codex-cli/") != std::string::npos && name != "history.jsonl" &&
                        name != "oss-story.jsonl" && name != "SOURCES.md";
    const Confidence confidence = adapter.recognises(head_of(read_file(entry.path()).value()));
    EXPECT_EQ(confidence != Confidence::no, is_own) << path;
  }
}

}  // namespace
}  // namespace weft::formats
