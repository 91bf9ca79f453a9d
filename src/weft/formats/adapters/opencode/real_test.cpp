// What OpenCode really wrote, read by hand: what must come out is counted in the files
// themselves. Its database is read in tests/ingest/opencode_store_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

class OpenCodeReal : public RealFiles {
 protected:
  OpenCodeReal() : RealFiles("opencode", "opencode") {}
  // The session and all its files.
  static Collector read_tree(const fs::path& path, std::size_t* lines = nullptr) {
    SourceInfo info = info_of(path);
    info.list = [folder = path.parent_path()](std::string_view relative) {
      std::vector<std::string> names;
      if (!fs::is_directory(folder / relative)) return names;
      for (const auto& entry : fs::directory_iterator(folder / relative)) {
        names.push_back(entry.path().filename().string());
      }
      std::ranges::sort(names);
      return names;
    };
    std::string text;
    find_adapter("opencode")
        ->tree->lines(info, read_file(path).value(), [&](std::string_view line) {
          text += std::string(line) + "\n";
          if (lines != nullptr) ++*lines;
        });
    return read_with("opencode", text, info);
  }

  fs::path storage_ =
      root_ / "jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/opencode/storage_v2";
  std::string cases_ = "meawoppl__rust-code-agent-sdks/opencode-codes/test_cases/";
};

TEST_F(OpenCodeReal, ASessionInFiles) {
  std::size_t lines = 0;
  const Collector collector =
      read_tree(storage_ / "session/proj_test/ses_s_stage0_small.json", &lines);
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "s_stage0_small");
  EXPECT_EQ(outline(session),
            "human p_user_1: Hello | assistant p_tool_1: call result Found 2 files.");
  EXPECT_EQ(session.facts.title, "OpenCode Small");
  EXPECT_EQ(session.facts.cwd, "/tmp/repo");
  EXPECT_EQ(session.facts.project, "repo");
  EXPECT_FALSE(session.facts.usage);
  const auto blocks = blocks_of(session);
  EXPECT_EQ(std::get<ToolCall>(blocks[1].body).input,
            (json::object{{"command", "ls"}, {"cwd", "/tmp/repo"}}));
  EXPECT_EQ(blocks[1].model, "gpt-4o-mini");
  EXPECT_EQ(blocks[1].start, 1730000002500);
  EXPECT_EQ(std::get<ToolResult>(blocks[2].body).text, "a.txt\nb.txt\n");
  EXPECT_EQ(blocks[2].start, 1730000003000);
  // Begun when the result was there; the part's own file does not say whose it is.
  EXPECT_EQ(blocks[3].start, 1730000003100);
  EXPECT_NE(blocks[3].message_id, blocks[1].message_id);
  EXPECT_TRUE(collector.skipped.empty());
  EXPECT_EQ(lines, 1u + 2u + 3u);
}

TEST_F(OpenCodeReal, ASessionWithEveryKindOfPart) {
  std::size_t lines = 0;
  const Collector collector =
      read_tree(storage_ / "session/proj_test/ses_s_stage0_large.json", &lines);
  const auto& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "s_stage0_large");
  EXPECT_EQ(outline(session),
            "human p_user_large_1: Step 1 | assistant p_tool_large_1: call result *text "
            "attachment thinking *failure | human p_user_large_2: Step 2 | "
            "assistant p_text_large_2: Ok");
  // Its step's and the message's are the same.
  EXPECT_EQ(session.facts.usage, (Usage{120, 16, 0, 0}));
  EXPECT_EQ(session.facts.updated_at, 1730000109000);
  const auto blocks = blocks_of(session);
  EXPECT_TRUE(std::get<ToolResult>(blocks[2].body).is_error);  // it exited with 1
  EXPECT_EQ(std::get<transcript::Attachment>(blocks[4].body).reference,
            "file:///tmp/large/error.log");
  EXPECT_EQ(std::get<transcript::Failure>(blocks[6].body).text, "The operation was aborted.");
  // A step begun and ended, a compaction's mark, a patch.
  EXPECT_EQ(reasons_of(collector.skipped),
            (Counts{{"progress", 2}, {"compact-boundary", 1}, {"internal", 1}}));
  EXPECT_EQ(lines, 1u + 4u + 11u);
}

TEST_F(OpenCodeReal, MessagesAsTheServerGivesThem) {
  const Collector collector = read(cases_ + "rest/messages_after_prompt.json");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "ses_062f7835bffeTGfH5IKNUxZZX7");
  EXPECT_EQ(outline(session),
            "human prt_f9d0898e6001w00v9Cd1n90h9S: Say hello in one word. | "
            "assistant prt_f9d08a3f6001CLLtxBr4lUkj9m: thinking Hello | "
            "human prt_f9d08ae6a0014OHcq7d7t5Sd3a: Say hello in one word. | "
            "assistant prt_f9d08c6ef001rwLaVVBTy7KYM8: thinking Hello");
  EXPECT_EQ(session.facts.usage, (Usage{522 + 38, 4 + 11 + 4 + 24, 8192 + 8704, 0}));
  EXPECT_EQ(session.facts.title, "Say hello in one word.");
  EXPECT_EQ(session.facts.updated_at, 1785046026397);
  const auto blocks = blocks_of(session);
  EXPECT_EQ(blocks[0].recorded, 1785046014051);
  EXPECT_EQ(blocks[1].start, 1785046017014);
  EXPECT_EQ(blocks[1].stop, 1785046017086);
  EXPECT_EQ(blocks[1].model, "big-pickle");
  EXPECT_EQ(blocks[1].message_id, "msg_f9d0898fa001Y3WFu2vo2Qoeu0");
  // Two steps, begun and ended; what they used their messages said.
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 4}}));
}

TEST_F(OpenCodeReal, EventsOfTheServersBus) {
  const std::string path = cases_ + "events/event_stream.jsonl";
  const Collector collector = read(path);
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& session = collector.conversations[0];
  EXPECT_EQ(session.heading.session_id, "ses_062f6fafdffeazh6ywwvMxsbNW");
  EXPECT_EQ(outline(session),
            "human prt_f9d090995001DON2ammZDgz9QQ: text | "
            "assistant prt_f9d091259001g1EcTFAC3S4kzv: thinking ping");
  EXPECT_EQ(session.facts.title, "sse fixture");
  EXPECT_EQ(session.facts.cwd, "/tmp");
  EXPECT_EQ(session.facts.usage, (Usage{523, 4 + 36, 8192, 0}));
  EXPECT_EQ(session.facts.updated_at, 1785046045706);
  EXPECT_TRUE(std::get<transcript::Thinking>(blocks_of(session)[1].body)
                  .text.ends_with("without any additional text or explanation."));
  // Mapped: the session four times, for its time is another one each time; three messages, of
  // which one has used something since; a prompt, a thought, an answer, and what a step used.
  const std::size_t mapped = 4 + 3 + 1 + 1 + 1 + 1;
  const std::string bytes = read_file(root_ / path).value();
  EXPECT_EQ(mapped + collector.skipped.size(),
            static_cast<std::size_t>(std::ranges::count(bytes, '\n')));
  EXPECT_EQ(reasons_of(collector.skipped),
            (Counts{{"internal", 1 + 2},               // the server, two diffs
                    {"progress", 12 + 1 + 5 + 1 + 2},  // deltas, four of a status and one idle
                    {"mirror", 3}}));
}

TEST_F(OpenCodeReal, AnExportWithPartsThatHaveNoName) {
  const Collector collector = read("letta-ai__trajectory/fixtures/opencode/cleanup/input.json");
  const auto& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "oc-session-cleanup");
  EXPECT_EQ(outline(session),
            "human oc-cleanup-user.0: text | "
            "assistant oc-cleanup-assistant.1: unknown call result text");
  EXPECT_EQ(session.facts.cwd, "/workspace/opencode-cleanup");
  const auto blocks = blocks_of(session);
  EXPECT_EQ(blocks[2].source_id, "oc-cleanup-tool");
  EXPECT_EQ(std::get<ToolResult>(blocks[3].body).text, "permission denied");
  EXPECT_TRUE(std::get<ToolResult>(blocks[3].body).is_error);
  EXPECT_EQ(blocks[4].model, "gpt-test");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 2}}));
}

// What is no conversation is no file of its own: an answer to a command, an empty list.
TEST_F(OpenCodeReal, ClaimsItsOwnFilesAndNoOthers) {
  const std::vector<std::string> none = {"abort_response.json", "messages_empty.json",
                                         "session_status_busy.json", "session_status_empty.json"};
  for (const auto& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().filename().string();
    const std::string head = read_file(entry.path()).value();
    const bool is_own = entry.path().string().find("/fixtures/opencode/") != std::string::npos &&
                        name.find(".json") != std::string::npos &&
                        std::ranges::find(none, name) == none.end();
    const Confidence sure = find_adapter("opencode")->recognises(head_of(head));
    EXPECT_EQ(sure != Confidence::no, is_own) << entry.path();
  }
}

}  // namespace
}  // namespace weft::formats
