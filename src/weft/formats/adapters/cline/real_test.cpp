// Tasks and sessions that Cline and its kin really kept, read by hand: what must come out is
// counted in the files themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

class ClineReal : public RealFiles {
 protected:
  ClineReal() : RealFiles("cline", "other-agents") {}
  std::string session_ = "cline__cline/sdk/packages/core/fixtures/session/session.messages.json";
  std::string modern_ =
      "vshulcz__deja-vu/fixtures/registry/cline/modern/sessions/session_synthetic_01/"
      "session_synthetic_01.messages.json";
  std::string task_ =
      "vshulcz__deja-vu/fixtures/registry/cline/legacy/tasks/1767225600000/"
      "api_conversation_history.json";
  std::string shown_ =
      "yigitkonur__cli-continues/test-fixtures/cline/tasks/test-task-1/ui_messages.json";
  std::string kilo_ =
      "yigitkonur__cli-continues/test-fixtures/kilo-code/tasks/test-task-1/ui_messages.json";
};

TEST_F(ClineReal, ASessionOfFiveRequestsThatWasForked) {
  const Collector collector = read_there(session_);
  ASSERT_EQ(collector.conversations.size(), 1u);
  const Conversation& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "1784094124598_rruoq");
  EXPECT_EQ(session.heading.source, "primary");
  EXPECT_EQ(session.origins, (std::vector<Origin>{{.kind = Origin::Kind::continued,
                                                   .session_id = "1784094053271_p8pzo"}}));
  EXPECT_EQ(session.facts.title,
            "can you update @apps/examples/desktop-app/webview/components/agent-sidebar.tsx so "
            "that the filter icon comes afte (fork)");
  EXPECT_EQ(session.facts.cwd, "~/dev/cline");
  EXPECT_EQ(session.facts.updated_at, parse_iso8601("2026-07-15T05:42:04.818Z"));
  // The sum that Cline itself gives when it compacts: usageBefore of basic.compaction.json.
  EXPECT_EQ(session.facts.usage, (Usage{630254, 4395, 534435, 0}));
  EXPECT_EQ(kinds_of(session),
            (Counts{{"text", 1 + 5 + 14}, {"attachment", 1}, {"call", 11}, {"result", 11}}));

  std::vector<std::string> turns;
  for (const auto& turn : session.turns) {
    turns.push_back(std::string(to_string(turn.head.role)) + " " + turn.head.source_id);
  }
  EXPECT_EQ(turns, (std::vector<std::string>{
                       "system system_prompt", "human msg_mr9sjimy_1", "assistant msg_7mYEbh8N",
                       "human msg_mr9soyef_1", "assistant msg_iGShD_aA", "human msg_mr9sqnuq_1",
                       "assistant msg_2qmXmy0D", "human msg_mr9szmu2_2q", "assistant msg_xQirMok7",
                       "human msg_mrb7vknq_4n", "assistant msg_Fy5COtRH"}));

  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<transcript::Attachment>(blocks.at(2).body).text->size(), 19223u);
  EXPECT_EQ(blocks.at(2).recorded, 1783376868634);
  EXPECT_EQ(blocks.at(3).model, "anthropic/claude-opus-4.8-fast");
  EXPECT_EQ(blocks.at(3).message_id, "msg_7mYEbh8N");
  EXPECT_EQ(blocks.back().model, "mistralai/voxtral-small-24b-2507");
  std::string open;
  for (const auto& block : blocks) {
    if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) open = call->id;
    const auto* result = std::get_if<ToolResult>(&block.body);
    if (result == nullptr) continue;
    EXPECT_EQ(result->call_id, open);
    EXPECT_FALSE(result->text.empty());
    EXPECT_FALSE(result->is_error);
  }
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 2}}));
}

TEST_F(ClineReal, ASmallSession) {
  const Collector collector = read_there(modern_);
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human msg_user_01: Say hello | assistant msg_assistant_01: Hello! thinking");
  EXPECT_EQ(session.facts.title, "Synthetic parser example");
  EXPECT_EQ(session.facts.cwd, "~/work/demo");
  EXPECT_EQ(session.facts.usage, std::nullopt);
  EXPECT_EQ(blocks_of(session).at(1).model, "synthetic-model");
  EXPECT_EQ(std::get<transcript::Thinking>(blocks_of(session).at(2).body).text, "hidden");
}

TEST_F(ClineReal, ASmallTask) {
  const Collector collector = read_there(task_);
  const Conversation& task = collector.conversations.at(0);
  EXPECT_EQ(task.heading.session_id, "1767225600000");
  EXPECT_EQ(outline(task), "human #1: Say hello | assistant #2: Hello!");
  EXPECT_EQ(task.facts.title, "Say hello");
  EXPECT_EQ(task.facts.cwd, "~/work/demo");
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(ClineReal, WhatATaskShowed) {
  const Collector collector = read_there(shown_);
  const Conversation& task = collector.conversations.at(0);
  EXPECT_EQ(task.heading.program, "cline");
  EXPECT_EQ(task.heading.session_id, "test-task-1");
  EXPECT_EQ(outline(task),
            "human #1: text | assistant #4: text | human #6: text | "
            "assistant #7: thinking text text");
  EXPECT_EQ(task.facts.usage, (Usage{100 + 250 + 400, 300 + 500, 30 + 80, 50 + 20}));
  EXPECT_EQ(blocks_of(task).at(1).recorded, 1740470403000);
  EXPECT_EQ(blocks_of(task).at(1).message_id, "#2");
  // The first beginning of the first answer.
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"partial", 1}}));
}

TEST_F(ClineReal, WhatATaskOfKiloCodeShowed) {
  const Collector collector = read_there(kilo_);
  const Conversation& task = collector.conversations.at(0);
  EXPECT_EQ(task.heading.program, "kilo-code");
  EXPECT_EQ(outline(task),
            "human #1: text | assistant #3: text | human #5: text | assistant #6: thinking text");
  EXPECT_EQ(task.facts.usage, (Usage{90 + 200 + 350, 250 + 400, 0, 0}));
  EXPECT_TRUE(collector.skipped.empty());
}

// Records told are the messages, requests, and of a session its id, its prompt and its time.
TEST_F(ClineReal, MappedAndSkippedAreAllRecords) {
  struct Expected {
    std::size_t mapped, all;
  };
  const std::map<std::string, Expected> files = {{session_, {32 + 3, 32 + 5}},
                                                 {modern_, {2 + 2, 2 + 4}},
                                                 {task_, {2, 2}},
                                                 {shown_, {9, 10}},
                                                 {kilo_, {8, 8}}};
  for (const auto& [path, expected] : files) {
    EXPECT_EQ(expected.mapped + read_there(path).skipped.size(), expected.all) << path;
  }
}

TEST_F(ClineReal, ClaimsItsOwnFilesAndNoOthers) {
  const std::set<std::string> own = {session_, modern_, task_, shown_, kilo_};
  const Adapter& adapter = *find_adapter("cline");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().lexically_relative(root_).string();
    const bool is_left = path.ends_with(".compaction.json");
    if (is_left) {
      EXPECT_EQ(adapter.ignore_reason(path), "sidecar");
      continue;
    }
    const std::string bytes = read_file(entry.path()).value();
    const Confidence sure = adapter.recognises(head_of(bytes));
    EXPECT_EQ(sure, own.contains(path) ? Confidence::yes : Confidence::no) << path;
    if (!own.contains(path)) continue;
    const Result<const Adapter*> claimed = recognise(bytes);
    EXPECT_TRUE(claimed && *claimed == &adapter) << path;
  }
}

}  // namespace
}  // namespace weft::formats
