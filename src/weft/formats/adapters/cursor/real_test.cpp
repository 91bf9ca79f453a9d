// Transcripts that Cursor's agent really wrote, read by hand: what must come out is counted in
// the files themselves. None of them says a time or what was used.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

class CursorReal : public RealFiles {
 protected:
  CursorReal() : RealFiles("cursor", "") {}

  std::string stage_ =
      "other-agents/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/cursor/";
  std::string replay_ = "other-agents/es617__claude-replay/test/fixture-cursor.jsonl";
  std::string smoke_ =
      "other-agents/getagentseal__codeburn/tests/fixtures/cursor-agent/workspace-less/projects/"
      "agent-transcripts/1031d227-0c67-4e17-8954-0b6e2b3322f0/"
      "1031d227-0c67-4e17-8954-0b6e2b3322f0.jsonl";
  std::string registry_ =
      "other-agents/vshulcz__deja-vu/fixtures/registry/cursor/projects/registry-demo/"
      "agent-transcripts/registry-cursor.jsonl";
  std::string paced_ = "claude-code/es617__claude-replay/test/fixture-paced.jsonl";
  std::string wording_ = "claude-code/es617__claude-replay/test/e2e/fixture-paced-wording.jsonl";
};

TEST_F(CursorReal, CallsAndWhatCameOfThem) {
  const Collector collector = read_there(stage_ + "large.jsonl");
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human #1: What files are here? | "
            "assistant #2: thinking I will list the files. call result There are two files. | "
            "human #5: Read file1.txt. | "
            "assistant #6: call result text | human #9: Thanks. | assistant #10: You are welcome.");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<ToolCall>(blocks.at(3).body).name, "Bash");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(4).body).name, "Bash");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(4).body).text, "file1.txt\nfile2.txt");
  EXPECT_EQ(std::get<ToolCall>(blocks.at(7).body).input, (json::value{{"file_path", "file1.txt"}}));
  EXPECT_EQ(std::get<ToolResult>(blocks.at(8).body).name, "Read");
  EXPECT_EQ(session.facts, transcript::Facts());
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(CursorReal, ASchemaThatDrifts) {
  const Collector collector = read_there(stage_ + "schema_drift.jsonl");
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session), "human #1: text | assistant #2: thinking call unknown result text");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(blocks.at(1).model, "cursor-auto");
  EXPECT_EQ(std::get<ToolCall>(blocks.at(2).body).name, "read_file");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(4).body).name, "read_file");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(4).body).text, "Compile failed in Example.swift:42");
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(CursorReal, SmallOnes) {
  const Collector small = read_there(stage_ + "small.jsonl");
  EXPECT_EQ(outline(small.conversations.at(0)),
            "human #1: List the files. | assistant #2: Here are the files. | human #3: Run ls. | "
            "assistant #4: Running ls. call");
  EXPECT_EQ(reasons_of(small.skipped), (Counts{{"progress", 1}}));
  EXPECT_EQ(outline(read_there(replay_).conversations.at(0)),
            "human #1: scan for ble devices | assistant #2: text Found 3 devices nearby. | "
            "human #4: text | assistant #5: Connected successfully.");
  const Conversation smoke = read_there(smoke_).conversations.at(0);
  EXPECT_EQ(smoke.heading.session_id, "1031d227-0c67-4e17-8954-0b6e2b3322f0");
  EXPECT_EQ(outline(smoke), "human #1: Run a quick smoke test | assistant #2: Smoke test passed.");
  EXPECT_EQ(read_there(registry_).conversations.at(0).heading.session_id, "registry-cursor");
  EXPECT_EQ(kinds_of(read_there(paced_).conversations.at(0)), (Counts{{"text", 4}}));
  EXPECT_EQ(read_there(wording_).conversations.at(0).turns.size(), 5u);
}

TEST_F(CursorReal, AnAgentAndWhomItSetToWork) {
  const Conversation parent = read_there(stage_ + "subagent/parent.jsonl").conversations.at(0);
  EXPECT_EQ(outline(parent), "human #1: Run a subagent. | assistant #2: Spawning subagent. call");
  const Conversation child =
      read_there(stage_ + "subagent/subagents/child.jsonl").conversations.at(0);
  EXPECT_EQ(child.heading.source, "subagent:child");
  EXPECT_EQ(child.origins, (std::vector<Origin>{{.session_id = "subagent", .agent = "child"}}));
  EXPECT_EQ(outline(child), "system #1: *List files | assistant #2: file1.txt\nfile2.txt");
}

TEST_F(CursorReal, ClaimsItsOwnFilesAndTakesAllTheirLines) {
  // The file, and how many lines of it tell something.
  const std::map<std::string, std::size_t> own = {{stage_ + "small.jsonl", 4},
                                                  {stage_ + "large.jsonl", 10},
                                                  {stage_ + "schema_drift.jsonl", 4},
                                                  {stage_ + "subagent/parent.jsonl", 2},
                                                  {stage_ + "subagent/subagents/child.jsonl", 2},
                                                  {replay_, 5},
                                                  {smoke_, 2},
                                                  {registry_, 2},
                                                  {paced_, 4},
                                                  {wording_, 5}};
  const Adapter& adapter = *find_adapter("cursor");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().lexically_relative(root_).string();
    const std::string bytes = read_file(entry.path()).value();
    const Confidence sure = adapter.recognises(head_of(bytes));
    const auto found = own.find(path);
    EXPECT_EQ(sure, found == own.end() ? Confidence::no : Confidence::yes) << path;
    if (found == own.end()) continue;
    const Result<const Adapter*> claimed = recognise(bytes);
    EXPECT_TRUE(claimed && *claimed == &adapter) << path;
    const bool is_whole = bytes.ends_with('\n');
    const auto lines =
        static_cast<std::size_t>(std::ranges::count(bytes, '\n')) + (is_whole ? 0 : 1);
    EXPECT_EQ(found->second + read_there(path).skipped.size(), lines) << path;
  }
}

}  // namespace
}  // namespace weft::formats
