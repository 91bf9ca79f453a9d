// Files of Copilot's that were really written, read by hand: what must come out is counted in
// the files themselves.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

class CopilotReal : public RealFiles {
 protected:
  CopilotReal()
      : RealFiles(
            "copilot",
            "copilot-cli/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/copilot") {}
  Collector read(const std::string& path) const {
    return RealFiles::read(path, {.name = fs::path(path).filename().string()});
  }

  std::string folder_ = "subdir_v1/aaaabbbb-1111-2222-3333-ccccddddeeee/events.jsonl";
};

TEST_F(CopilotReal, ASessionInAFolderOfItsOwn) {
  const Collector collector = read(folder_);
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "aaaabbbb-1111-2222-3333-ccccddddeeee");
  EXPECT_EQ(outline(session), "human e2: List the files | assistant e4: call result text");
  EXPECT_EQ(session.facts.cwd, "/tmp/project");
  EXPECT_EQ(session.facts.git_branch, "main");
  EXPECT_EQ(session.facts.title, "List the files");
  EXPECT_EQ(session.facts.usage, (Usage{.output = 12 + 14}));
  EXPECT_EQ(session.facts.updated_at, parse_iso8601("2026-03-26T17:50:37.100Z"));
  const auto blocks = blocks_of(session);
  const auto& call = std::get<ToolCall>(blocks[1].body);
  EXPECT_EQ(call.name, "bash");
  EXPECT_EQ(call.input, (json::object{{"command", "ls"}, {"description", "List files"}}));
  EXPECT_EQ(blocks[1].message_id, "msg-0001");
  EXPECT_FALSE(blocks[1].model);  // no event names it
  EXPECT_EQ(std::get<ToolResult>(blocks[2].body).call_id, "call_1");
  EXPECT_EQ(blocks[2].recorded, parse_iso8601("2026-03-26T17:50:36.200Z"));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 2}, {"mirror", 1}}));
}

TEST_F(CopilotReal, ASessionWithThreePrompts) {
  const Collector collector = read("large.jsonl");
  const auto& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "copilot_stage0_large");
  EXPECT_EQ(outline(session),
            "system e3b: *System notice | human e4: Step 1 | assistant e5: Ok | human e6: Step 2 | "
            "assistant e7: call result text | human e10: Step 3 | assistant e11: Ok call");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(blocks[2].model, "gpt-5");  // the one that was changed to
  EXPECT_EQ(std::get<ToolResult>(blocks[5].body).text, "line1\nline2\nline3\n");
  EXPECT_FALSE(session.facts.usage);
  // Which model, what is trusted, the truncation; two turns' ends, two hooks.
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 3}, {"progress", 4}}));
}

// A real session's beginning, and after it one event of each kind whose texts were all replaced
// by the same words.
TEST_F(CopilotReal, EveryKindOfEvent) {
  const Collector collector = read("small.jsonl");
  ASSERT_EQ(collector.conversations.size(), 2u);
  const auto& session = collector.conversations[0];
  const auto& subagent = collector.conversations[1];
  EXPECT_EQ(session.heading.session_id, "copilot_stage0_small");
  // The system's message, two prompts, three messages with words and a notification; three
  // messages with calls; three results of the session's own.
  EXPECT_EQ(kinds_of(session), (Counts{{"failure", 1},
                                       {"text", 1 + 2 + 4 + 1},
                                       {"redacted", 1 + 1},
                                       {"call", 1 + 1 + 1},
                                       {"result", 1 + 1 + 1},
                                       {"thinking", 1},
                                       {"attachment", 1}}));
  EXPECT_EQ(kinds_of(subagent), (Counts{{"thinking", 1}, {"text", 1}, {"call", 1}, {"result", 1}}));
  EXPECT_EQ(subagent.heading.source, "subagent:[trimmed for fixture]");
  EXPECT_EQ(session.spawned.size(), 1u);
  EXPECT_EQ(session.facts.usage, (Usage{100, 15, 5, 0}));
  EXPECT_EQ(session.facts.cwd, "[trimmed for fixture]");  // where it was resumed
  EXPECT_EQ(session.turns[0].head.role, transcript::Role::system);
  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<ToolCall>(blocks[5].body).input, (json::object{{"command", "ls"}}));
  EXPECT_EQ(std::get<ToolCall>(blocks[5].body).description, "List the directory");
  EXPECT_EQ(blocks[5].model, "gpt-5-mini");
  EXPECT_EQ(blocks[5].message_id, "m-1");
  EXPECT_EQ(std::get<ToolResult>(blocks[6].body).text, "a.txt\nb.txt\n");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 2 + 1 + 1 + 1},
                                                   {"progress", 1 + 2},
                                                   {"mirror", 1 + 1},
                                                   {"notification", 1},
                                                   {"interrupted", 1}}));
}

// Told are: what speaks, the beginnings, the end and the subagent's start.
TEST_F(CopilotReal, MappedAndSkippedAreAllLines) {
  const std::map<std::string, std::size_t> mapped = {
      {folder_, 1 + 1 + 2 + 1},
      {"large.jsonl", 1 + 1 + 3 + 4 + 1 + 1},
      {"small.jsonl", 1 + 2 + 1 + 1 + 2 + 5 + 4 + 1 + 1 + 1 + 1},
  };
  for (const auto& [path, count] : mapped) {
    const std::string bytes = read_file(root_ / path).value();
    const auto lines = static_cast<std::size_t>(std::ranges::count(bytes, '\n'));
    EXPECT_EQ(count + read(path).skipped.size(), lines) << path;
  }
}

TEST_F(CopilotReal, ClaimsNoFileOfAnyOther) {
  for (const auto& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = read_file(entry.path()).value();
    const bool is_own = entry.path().string().find("/copilot-cli/") != std::string::npos &&
                        entry.path().extension() == ".jsonl";
    EXPECT_EQ(find_adapter("copilot")->recognises(head_of(bytes)),
              is_own ? Confidence::yes : Confidence::no)
        << entry.path();
  }
}

}  // namespace
}  // namespace weft::formats
