// Real sessions, held against what was counted by hand in their files. They are not part of
// the repository: where they are absent, nothing is tested here.
#include <algorithm>
#include <filesystem>
#include <set>

#include "weft/base/file.hpp"
#include "weft/formats/adapters/claude_code/claude_code_for_test.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Role;
using Strings = std::vector<std::string>;

const fs::path kAll = real_fixtures();
const fs::path kOwn = kAll / "claude-code";
const fs::path kRecorded = kOwn / "recorded/claude-code-2.1.325/projects/-home-dev-claude-proj";
const fs::path kMarot = kOwn / "marot__spotter/test/fixtures/transcripts";

class ClaudeCodeReal : public RealFiles {
 protected:
  ClaudeCodeReal() : RealFiles("claude-code", "claude-code") {}

  static Read read_real(const fs::path& path) {
    return claude_code::read(read_file(path).value(), info_of(path));
  }

  static std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && entry.path().extension() != ".md") {
        found.push_back(entry.path());
      }
    }
    std::ranges::sort(found);
    return found;
  }
};

// Every result stands after its call, and they are paired one to one.
void expect_pairs(const Conversation& conversation, int calls, int results) {
  std::set<std::string> open;
  int seen_calls = 0, seen_results = 0;
  for (const Block& block : blocks(conversation)) {
    if (const auto* call = std::get_if<ToolCall>(&block.body)) {
      ++seen_calls;
      EXPECT_TRUE(open.insert(call->id).second);
    }
    if (const auto* result = std::get_if<ToolResult>(&block.body)) {
      ++seen_results;
      EXPECT_EQ(open.erase(result->call_id), 1u) << result->call_id;
    }
  }
  EXPECT_EQ(seen_calls, calls);
  EXPECT_EQ(seen_results, results);
}

std::set<std::string> models(const Conversation& conversation) {
  std::set<std::string> found;
  for (const Block& block : blocks(conversation)) {
    if (block.model) found.insert(*block.model);
  }
  return found;
}

std::size_t messages(const Conversation& conversation) {
  std::set<std::string> found;
  for (const Block& block : blocks(conversation)) {
    if (block.message_id) found.insert(*block.message_id);
  }
  return found.size();
}

TEST_F(ClaudeCodeReal, ReadsTodaysSessionThatWasResumedOnce) {
  const Read all = read_real(kRecorded / "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f.jsonl");
  const Conversation& main = all.only();
  EXPECT_EQ(main.heading.session_id, "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f");
  EXPECT_EQ(main.heading.source, "primary");
  EXPECT_EQ(roles(main), "HAHA");
  EXPECT_EQ(main.turns[0].head.source_id, "3d0a0e53-27a7-442a-a8e4-42b59596f05b");
  EXPECT_EQ(main.turns[2].head.source_id, "a8d816f9-b3f3-48b2-bae1-23d1971f543b");
  EXPECT_EQ(kinds(main), (Counts{{"human text", 2},
                                 {"program text", 9},  // seven reminders, prompt, notification
                                 {"model thinking", 5},
                                 {"model redacted", 1},
                                 {"model text", 4},
                                 {"model call", 4},
                                 {"tool result", 4}}));
  expect_pairs(main, 4, 4);
  EXPECT_EQ(messages(main), 6u);
  EXPECT_EQ(models(main), (std::set<std::string>{"claude-opus-5-5"}));
  EXPECT_EQ(main.facts.usage, (Usage{600, 252, 30, 42}));
  EXPECT_EQ(main.facts.title, "SECONDWORK: and the pelican?");
  EXPECT_EQ(main.facts.cwd, "/home/dev/claude/proj");
  EXPECT_EQ(main.facts.updated_at, parse_iso8601("2026-11-15T19:17:40.505Z"));
  EXPECT_EQ(main.spawned, (std::vector<Spawned>{{"toolu_4ia31u3vt"},
                                                {"toolu_4ia31u3vt", "a9b0fc67e3964da39"},
                                                {"toolu_4ia31u3vt", {}, Spawned::Outcome::later},
                                                {"toolu_4ia31u3vt", {}, Spawned::Outcome::here}}));
  EXPECT_TRUE(main.origins.empty());
  EXPECT_EQ(all.skips(), (Counts{{"api-request", 6},
                                 {"api-request-blob", 3},
                                 {"api-request-shape", 1},
                                 {"atis-latch", 3},
                                 {"cost-state", 2},
                                 {"mode", 1},
                                 {"queue-operation", 6},
                                 {"tools-used", 2},
                                 // a prompt snapshot, and the last prompt three times
                                 {"unchanged", 4}}));

  // The five lines of the first message, then its results in the order of completion.
  const std::vector<Block>& answer = main.turns[1].blocks;
  Strings order;
  for (std::size_t i = 8; i < 15; ++i)
    order.push_back(kind_of(answer[i]) + " " + text_of(answer[i]));
  EXPECT_EQ(order,
            (Strings{"thinking I should look around first. Wombat plan — ünïcode 思考.",
                     "redacted ", "text Let me look at two things at once.", "call toolu_104y1wpni",
                     "call toolu_2si4rnrik", "result 1\tthe quokka sleeps\n2\t",
                     "result hello-capybara\nnotes.txt"}));
  EXPECT_EQ(answer[8].recorded.has_value(), true);
  // The notification of the background agent is the program's, in the same turn.
  EXPECT_TRUE(text_of(answer[22]).starts_with("<task-notification>"));
  EXPECT_EQ(author_of(answer[22]), "program");
  // A failed command says so, and its text only once.
  const auto& failed = std::get<ToolResult>(answer[19].body);
  EXPECT_TRUE(failed.is_error);
  EXPECT_EQ(failed.text, "Exit code 3\nfailing");
  EXPECT_EQ(failed.details, std::nullopt);
  // Hollow thinking.
  EXPECT_EQ(std::get<transcript::Thinking>(main.turns[3].blocks[0].body).signature, "aG9sbG93U0lH");
}

TEST_F(ClaudeCodeReal, JoinsTodaysSubagentToItsCall) {
  const Read all = read_real(kRecorded / "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f" / "subagents" /
                             "agent-a9b0fc67e3964da39.jsonl");
  const Conversation& agent = all.only();
  EXPECT_EQ(agent.heading.source, "subagent:a9b0fc67e3964da39");
  EXPECT_EQ(agent.heading.session_id, "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f");
  EXPECT_EQ(agent.origins,
            (std::vector<Origin>{{Origin::Kind::spawned, "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f",
                                  "toolu_4ia31u3vt", "a9b0fc67e3964da39"}}));
  EXPECT_EQ(roles(agent), "SA");
  EXPECT_EQ(kinds(agent), (Counts{{"program text", 9},
                                  {"model thinking", 1},
                                  {"model call", 1},
                                  {"tool result", 1},
                                  {"model text", 1}}));
  EXPECT_EQ(authored(agent)[0], "program: SUBWORK: find the marmoset");
  EXPECT_EQ(agent.facts.usage, (Usage{200, 84, 10, 14}));
}

TEST_F(ClaudeCodeReal, GivesAForkTheBlocksOfItsOriginInTheSamePlaces) {
  const Read origin = read_real(kRecorded / "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f.jsonl");
  const Read fork = read_real(kRecorded / "f6446a3e-9880-4036-978d-b25739d40cd1.jsonl");
  EXPECT_EQ(fork.only().heading.session_id, "f6446a3e-9880-4036-978d-b25739d40cd1");
  EXPECT_EQ(roles(fork.only()), "HAHAHA");
  const auto before = blocks(origin.only()), after = blocks(fork.only());
  ASSERT_EQ(before.size(), 29u);
  ASSERT_EQ(after.size(), 32u);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
  EXPECT_EQ(text_of(after[29]), "SECONDWORK: forked question");
  EXPECT_EQ(fork.only().facts.usage, (Usage{700, 294, 35, 49}));
}

TEST_F(ClaudeCodeReal, ReadsAnInterruptedSessionWithCommands) {
  const Read all = read_real(kMarot / "tool_heavy.jsonl");
  const Conversation& main = all.only();
  EXPECT_EQ(main.heading.session_id, "d6e0bada-1959-4eec-a9d2-0bfade768d8f");
  EXPECT_EQ(roles(main), "HAHAHAHA");
  EXPECT_EQ(kinds(main), (Counts{{"human text", 4},  // two prompts, /mcp twice
                                 {"program text", 5},
                                 {"model call", 6},
                                 {"model text", 2},
                                 {"model thinking", 1},
                                 {"tool result", 6}}));
  expect_pairs(main, 6, 6);
  EXPECT_EQ(all.skips(),
            (Counts{{"file-history-snapshot", 3}, {"progress", 10}, {"queue-operation", 2}}));
  EXPECT_EQ(main.facts.usage, (Usage{54, 212, 88231, 17696}));
  EXPECT_EQ(main.facts.title, "start phoenix in background");
  EXPECT_EQ(main.turns[2].head.source_id, "fbc928bf-df77-45c9-a0ef-51d150f4caf7");
  EXPECT_EQ(text_of(main.turns[2].blocks[0]), "/mcp");
  EXPECT_EQ(text_of(main.turns[4].blocks[0]), "/mcp");
  EXPECT_EQ(author_of(main.turns[7].blocks.back()), "program");
  EXPECT_EQ(text_of(main.turns[7].blocks.back()), "[Request interrupted by user]");
  // "\n\n", thinking and two calls are one message.
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(main.turns[7].blocks[i].message_id, "msg_01LbyjvsALGe2gMsTgDSj7e6");
  }
  EXPECT_EQ(main.turns[0].blocks[0].recorded, parse_iso8601("2026-02-10T22:57:54.684Z"));
}

TEST_F(ClaudeCodeReal, ReadsALongSessionFullOfProgressAndOnceCompacted) {
  const Read all = read_real(kMarot / "4d5611e5-241a-462a-8d15-5122611a9569.jsonl");
  const Conversation& main = all.only();
  EXPECT_EQ(roles(main), "HAHA");
  EXPECT_EQ(main.turns[0].head.source_id, "daa5a4bb-530c-4055-b20c-bde38255c99e");
  EXPECT_EQ(main.turns[2].head.source_id, "91d1e79a-8ceb-4c23-b5d7-9bc6055be0c4");
  EXPECT_EQ(kinds(main), (Counts{{"human text", 2},
                                 {"program text", 1},
                                 {"model compaction", 1},
                                 {"model call", 150},
                                 {"model text", 90},
                                 {"model thinking", 14},
                                 {"tool result", 150}}));
  expect_pairs(main, 150, 150);
  EXPECT_EQ(messages(main), 139u);
  EXPECT_EQ(models(main), (std::set<std::string>{"claude-opus-4-6"}));
  EXPECT_EQ(main.facts.usage, (Usage{177, 28755, 11618567, 479537}));
  EXPECT_EQ(main.facts.git_branch, "spotter-dov");
  EXPECT_EQ(main.facts.updated_at, parse_iso8601("2026-02-12T21:03:34.112Z"));
  EXPECT_EQ(main.spawned, (std::vector<Spawned>{{"toolu_017pLRuPHYTX5t99EnLyV53m"},
                                                {"toolu_017pLRuPHYTX5t99EnLyV53m", "a2898e3"}}));
  EXPECT_EQ(all.skips(), (Counts{{"compact-boundary", 1},
                                 {"file-history-snapshot", 14},
                                 {"hook-summary", 3},
                                 {"progress", 1083},
                                 {"queue-operation", 1},
                                 {"turn-duration", 2}}));
}

TEST_F(ClaudeCodeReal, ReadsASessionWithShellCommandsAndASummary) {
  const Read all = read_real(kOwn /
                             "randlee__claude-history/docs/examples/claude-history-simple/export/"
                             "source/session.jsonl");
  const Conversation& main = all.only();
  EXPECT_EQ(main.heading.session_id, "967e501d-aa48-4eab-a21f-b17058bd78f0");
  Strings commands;
  for (const transcript::Turn& turn : main.turns) {
    const std::string text = turn.head.role == Role::human ? text_of(turn.blocks[0]) : "";
    if (text.starts_with('/') || text.starts_with('!')) commands.push_back(text);
  }
  ASSERT_EQ(commands.size(), 7u);
  EXPECT_EQ(commands[0], "!git pull");
  EXPECT_EQ(commands[1], "!git status");
  EXPECT_TRUE(commands[2].starts_with("/model"));
  EXPECT_EQ(kinds(main)["human text"], 13);
  EXPECT_EQ(kinds(main)["program text"], 14);
  EXPECT_EQ(kinds(main)["model thinking"], 80);
  EXPECT_EQ(kinds(main)["model call"], 90);
  EXPECT_EQ(kinds(main)["program summary"], 1);
  EXPECT_EQ(main.facts.title, "Phase 7 & 8 Completion, Phase 9 Planning");
  EXPECT_EQ(main.facts.usage, (Usage{656, 199, 7164252, 695426}));
  EXPECT_EQ(roles(main).find('<'), std::string::npos);
  EXPECT_EQ(all.skips(), (Counts{{"compact-boundary", 1},
                                 {"file-history-snapshot", 14},
                                 {"hook-summary", 7},
                                 {"progress", 241},
                                 {"queue-operation", 1},
                                 {"turn-duration", 7}}));
}

TEST_F(ClaudeCodeReal, JoinsTheSidechainsOfAnOldSessionToTheirCalls) {
  const Read all =
      read_real(kOwn / "d-kimuson__claude-code-viewer/mock-global-claude-dir/projects" /
                "sample-project/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl");
  ASSERT_EQ(all.conversations.size(), 3u);
  const Conversation& main = all.of("primary");
  const Conversation& first = all.of("subagent:6340ddef-f656-4b72-a065-82390f637678");
  const Conversation& second = all.of("subagent:83e2917c-8940-4df6-a5a5-f2514f0d08c5");
  EXPECT_EQ(roles(main), "HA");
  EXPECT_EQ(roles(first), "SA");
  EXPECT_EQ(roles(second), "SA");
  EXPECT_EQ(kinds(main), (Counts{{"human text", 1},
                                 {"program text", 1},
                                 {"model text", 3},
                                 {"model call", 13},
                                 {"tool result", 13}}));
  EXPECT_EQ(blocks(first).size(), 7u);
  EXPECT_EQ(blocks(second).size(), 15u);
  ASSERT_EQ(first.origins.size(), 1u);
  ASSERT_EQ(second.origins.size(), 1u);
  EXPECT_EQ(first.origins[0].call_id, "toolu_014YF9TXhDRR7BnpasNJ7gjC");
  EXPECT_EQ(second.origins[0].call_id, "toolu_01LKfUwrsnof18CpWZQcJH44");
  EXPECT_TRUE(all.skipped.empty());
}

// Tells whether a record was told, be it only a fact.
class Watcher : public transcript::Collector {
 public:
  bool is_emitted = false;
  void block(Block&& content) override {
    is_emitted = true;
    Collector::block(std::move(content));
  }
  void facts(const transcript::Facts& facts) override {
    is_emitted = true;
    Collector::facts(facts);
  }
  void request(const transcript::Request& request) override {
    is_emitted = true;
    Collector::request(request);
  }
};

TEST_F(ClaudeCodeReal, MapsOrSkipsEveryRecordOfEveryFile) {
  for (const fs::path& path : files_below(kOwn)) {
    const std::string bytes = read_file(path).value();
    if (adapter().recognises(head_of(bytes)) == Confidence::no) continue;
    Watcher sink;
    const auto framer = adapter().frame(head_of(bytes));
    const auto reader = adapter().open(info_of(path));
    std::size_t waiting = 0;    // titles before the first message
    std::size_t summaries = 0;  // likewise, and emitted after it or at the end
    const OnRecord record = [&](const Record& found) {
      const std::size_t skipped = sink.skipped.size();
      sink.is_emitted = false;
      reader->read(found, sink);
      if (!sink.is_emitted && sink.skipped.size() == skipped) {
        ++(found.text.find(R"("type":"summary")") == std::string_view::npos ? waiting : summaries);
      }
      for (std::size_t i = skipped; i < sink.skipped.size(); ++i) {
        EXPECT_EQ(sink.skipped[i].line, found.line) << path;
      }
    };
    const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
    framer->push(bytes, record, oversize);
    framer->end(record, oversize);
    reader->finish(sink);
    std::size_t aside = 0;
    for (const Conversation& conversation : sink.conversations) {
      for (const Block& block : blocks(conversation)) {
        const auto* summary = std::get_if<transcript::Summary>(&block.body);
        if (summary != nullptr && summary->is_aside) ++aside;
      }
    }
    EXPECT_GE(aside, summaries) << path;
    // Of these files one has a title before its first message.
    EXPECT_EQ(waiting, path.filename() == "small.jsonl" ? 1u : 0u) << path;
    std::set<std::pair<std::string, std::pair<std::string, std::uint32_t>>> places;
    for (const Conversation& conversation : sink.conversations) {
      EXPECT_FALSE(conversation.turns.empty() && conversation.requests.empty()) << path;
      for (const Block& block : blocks(conversation)) {
        const auto place = std::pair(block.source_id, block.index);
        EXPECT_TRUE(places.insert({conversation.heading.source, place}).second) << path;
      }
    }
  }
}

TEST_F(ClaudeCodeReal, FindsNoBranchWhereNobodyWentBack) {
  for (const fs::path& path : files_below(kOwn)) {
    const Read all = read_real(path);
    for (const Conversation& conversation : all.conversations) {
      EXPECT_EQ(roles(conversation).find('<'), std::string::npos) << path;
    }
  }
}

TEST_F(ClaudeCodeReal, ClaimsItsFilesAndNoOthers) {
  // Not sessions, though they lie among them: sidecars, and the files of a viewer.
  const std::set<std::string> foreign = {"demo-session.jsonl", "fixture-paced.jsonl",
                                         "fixture-paced-wording.jsonl"};
  for (const fs::path& path : files_below(kAll)) {
    const std::string name = path.filename().string();
    const bool is_own = path.string().starts_with(kOwn.string()) && !foreign.contains(name) &&
                        !name.ends_with(".meta.json");
    const Confidence confidence = adapter().recognises(head_of(read_file(path).value()));
    EXPECT_EQ(confidence != Confidence::no, is_own) << path;
  }
}

}  // namespace
}  // namespace weft::formats::claude_code
