// Logs that Kimi's programs really wrote, read by hand: what must come out is counted in the
// files themselves.
#include <algorithm>
#include <set>

#include "weft/formats/adapters/kimi/kimi_for_test.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Role;
using transcript::Text;

const std::string kLegacy = "MoonshotAI__kimi-code/packages/migration-legacy/test/fixtures/";
const std::string kStage = "jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/kimi/";

class KimiReal : public RealFiles {
 protected:
  KimiReal() : RealFiles("kimi", "kimi") {}

  // Every call has its result, but for so many.
  static int open_calls(const Conversation& session) {
    std::set<std::string> open;
    for (const Block& block : blocks_of(session)) {
      if (const auto* call = std::get_if<ToolCall>(&block.body)) open.insert(call->id);
      if (const auto* result = std::get_if<ToolResult>(&block.body)) {
        EXPECT_EQ(open.erase(result->call_id), 1u) << result->call_id;
      }
    }
    return static_cast<int>(open.size());
  }
};

TEST_F(KimiReal, ASessionOfKimiCodeWithAPlanAnAgentAndACompaction) {
  const Collector all = read_there(kStage + "assistant_tools.jsonl");
  const Conversation session = only(all);
  EXPECT_EQ(kinds_of(session),
            (Counts{{"text", 1 + 8 + 5 + 6},  // system, person, injected, answers
                    {"thinking", 22},
                    {"call", 19},
                    {"result", 19},
                    {"compaction", 1}}));
  // llm.request, tools_snapshot, approvals, plan mode, the second config; what says a prompt or
  // a step's usage again; steps that begin, and the compaction's two ends.
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"internal", 25 + 1 + 8 + 2 + 1},
                                             {"mirror", 8 + 22},
                                             {"progress", 24 + 2},
                                             {"metadata", 1},
                                             {"duplicate", 1}}));
  // 22 steps and the compaction.
  EXPECT_EQ(session.facts.usage, (Usage{28763 + 1411, 4578 + 937, 620544 + 40960, 0}));
  EXPECT_EQ(session.facts.tools.size(), 27u);
  ASSERT_EQ(session.turns.size(), 13u);
  EXPECT_EQ(session.turns[0].head.role, Role::system);
  EXPECT_EQ(session.turns[1].blocks.size(), 3u);  // "hi", three times, as nobody answered
  EXPECT_EQ(session.turns[2].head.source_id, "7789ceeb-df27-42a1-863d-0574d061f05d");
  EXPECT_EQ(session.turns[2].blocks[0].message_id, "d7919226-2434-41e4-bbb6-ad071011e5f9");
  EXPECT_EQ(session.turns[2].blocks[0].recorded, 1785613801102);
  EXPECT_EQ(open_calls(session), 0);
  EXPECT_EQ(session.spawned, (std::vector<Spawned>{{.call_id = "Agent_3"},
                                                   {.call_id = "Agent_3", .agent = "agent-0"}}));
  int errors = 0;
  for (const Block& block : blocks_of(session)) {
    const bool is_models = block.author == Author::model;
    EXPECT_EQ(block.model, is_models ? std::optional<std::string>("kimi-k2.7-code") : std::nullopt);
    const auto* result = std::get_if<ToolResult>(&block.body);
    if (result == nullptr || !result->is_error) continue;
    EXPECT_EQ(result->call_id, "Bash_2");
    ++errors;
  }
  EXPECT_EQ(errors, 1);
}

TEST_F(KimiReal, AnAgentOfKimiCode) {
  const Collector all = read_there(kStage + "subagent_agent-0.jsonl");
  const Conversation session = only(all);
  EXPECT_EQ(kinds_of(session),
            (Counts{{"text", 1 + 1 + 1}, {"thinking", 3}, {"call", 2}, {"result", 2}}));
  ASSERT_EQ(session.turns.size(), 2u);  // nobody spoke to it but a program
  EXPECT_EQ(session.turns[0].head.role, Role::system);
  EXPECT_EQ(session.facts.usage, (Usage{12905, 330, 28416, 0}));
  EXPECT_EQ(session.facts.cwd, "/private/tmp/as-agent-lab/kimi/project");
  EXPECT_EQ(reasons_of(all.skipped),
            (Counts{{"internal", 3 + 1 + 1}, {"mirror", 1 + 3}, {"progress", 3}, {"metadata", 1}}));
}

TEST_F(KimiReal, KimiCodeNamesASessionByItsFolder) {
  const std::string sessions = "MoonshotAI__kimi-code/apps/vis/server/test/fixtures/sessions/";
  const Conversation main = only(read_there(sessions + "sample-main/agents/main/wire.jsonl"));
  EXPECT_EQ(main.heading.session_id, "sample-main");
  EXPECT_EQ(main.facts.title, "fixture: hello world");
  EXPECT_EQ(main.facts.usage, (Usage{10, 5, 0, 0}));
  EXPECT_EQ(outline(main), "system #2: *You are Kimi. | human #5: hi | assistant c1: hello");
  const Conversation agent = only(read_there(sessions + "sample-main/agents/agent-0/wire.jsonl"));
  EXPECT_EQ(agent.heading.source, "subagent:agent-0");
  EXPECT_EQ(agent.origins,
            (std::vector<Origin>{{.session_id = "sample-main", .agent = "agent-0"}}));
  EXPECT_EQ(
      outline(only(read_there(sessions + "sample-compaction/agents/main/wire.jsonl"))),
      "system #2: *You are Kimi. | human #3: before compaction | assistant #4: assistant reply "
      "compaction | human #6: after compaction");
}

TEST_F(KimiReal, PromptsThatHaveNoMessages) {
  const Collector all = read_there("es617__claude-replay/test/fixture-kimi-code.jsonl");
  EXPECT_EQ(kinds_of(only(all)),
            (Counts{{"text", 3 + 3}, {"thinking", 4}, {"call", 2}, {"result", 2}}));
  EXPECT_EQ(only(all).turns.size(), 6u);
  EXPECT_EQ(open_calls(only(all)), 0);
}

TEST_F(KimiReal, ALongWireWithCallsInPieces) {
  const Collector all = read_there(kLegacy + "large-100msgs/wire.jsonl");
  const Conversation session = only(all);
  EXPECT_EQ(session.heading.session_id, "large-100msgs");
  EXPECT_EQ(kinds_of(session),
            (Counts{{"text", 2 + 8}, {"thinking", 15}, {"call", 28}, {"result", 28}}));
  EXPECT_EQ(reasons_of(all.skipped),
            (Counts{{"metadata", 1}, {"progress", 16 + 1}, {"internal", 2}}));
  EXPECT_EQ(session.facts.usage, (Usage{62198, 4790, 496640, 0}));
  EXPECT_EQ(open_calls(session), 0);
  ASSERT_EQ(session.turns.size(), 4u);
  EXPECT_EQ(session.turns[2].head.source_id, "#22");
  EXPECT_EQ(session.turns[1].blocks[0].recorded, 1773723371727);
  for (const Block& block : blocks_of(session)) {
    const auto* call = std::get_if<ToolCall>(&block.body);
    if (call == nullptr) continue;
    EXPECT_TRUE(call->input.is_object()) << call->id;
    if (call->id != "tool_300OLXjS5RZxFz9LvWJP6QyJ") continue;
    EXPECT_EQ(call->input,
              (json::object{{"path", ".agents/skills/example-task/scripts/inspect_session.py"}}));
    EXPECT_EQ(block.source_id, "#12");
    EXPECT_EQ(block.message_id, "#9");
  }
}

// The wire breaks off after its 28th result; the context goes on.
TEST_F(KimiReal, AContextThatGoesOnWhereItsWireBrokeOff) {
  const Collector all = read_there(kLegacy + "large-100msgs/context.jsonl");
  const Conversation session = only(all);
  EXPECT_EQ(session.heading.session_id, "large-100msgs");
  // Lines 96 to 129: seven answers with their calls, and one more prompt; and the system prompt.
  EXPECT_EQ(kinds_of(session),
            (Counts{{"text", 1 + 1 + 3}, {"thinking", 7}, {"call", 6}, {"result", 6}}));
  ASSERT_EQ(session.turns.size(), 4u);
  EXPECT_EQ(session.turns[1].head.source_id, "#c96");
  EXPECT_EQ(session.turns[2].head.source_id, "#c124");
  EXPECT_EQ(open_calls(session), 0);
}

TEST_F(KimiReal, ASessionThatWasArchived) {
  const Collector wire = read_there(kLegacy + "archived/wire.jsonl");
  const Conversation session = only(wire);
  EXPECT_EQ(session.facts.title, "You are a code translation assistant. Task: [...]");
  EXPECT_EQ(session.facts.usage, (Usage{18 + 22, 3 + 4, 0, 0}));
  EXPECT_EQ(kinds_of(session), (Counts{{"text", 1}, {"call", 2}, {"result", 2}}));
  const auto written = std::get<ToolResult>(session.turns[1].blocks[3].body);
  EXPECT_EQ(written.text, "File successfully overwritten. Current size: 138 bytes.");
  EXPECT_TRUE(written.details);
  // All else is in the wire, the prompt too, though it was cut here.
  const Collector context = read_there(kLegacy + "archived/context.jsonl");
  EXPECT_EQ(outline(only(context)), "system #c1: *text *text");
  EXPECT_EQ(reasons_of(context.skipped), (Counts{{"internal", 5}, {"mirror", 3}}));
}

TEST_F(KimiReal, AnAgentAmongTheSessionsOwnEvents) {
  const Collector all = read_there(kLegacy + "with-subagent-collapsed/wire.jsonl");
  ASSERT_EQ(all.conversations.size(), 2u);
  EXPECT_EQ(kinds_of(all.conversations[0]), (Counts{{"text", 2}, {"thinking", 1}, {"call", 2}}));
  EXPECT_EQ(all.conversations[1].heading.source, "subagent:ac1f74988");
  EXPECT_EQ(all.conversations[1].origins,
            (std::vector<Origin>{{.session_id = "with-subagent-collapsed",
                                  .call_id = "tool_Ct3NdbCjJ2Xbl7YzithE2Dy8",
                                  .agent = "ac1f74988"}}));
  // The file ends within the arguments of the second call: eight lines are all there is of it.
  EXPECT_TRUE(std::get<ToolCall>(all.conversations[0].turns[1].blocks[3].body).input.is_string());
  // The third call and the three results are in the context alone.
  const Conversation context = only(read_there(kLegacy + "with-subagent-collapsed/context.jsonl"));
  EXPECT_EQ(kinds_of(context), (Counts{{"text", 1}, {"call", 1}, {"result", 3}}));
}

TEST_F(KimiReal, PicturesAndSounds) {
  const Conversation wire = only(read_there(kLegacy + "with-image/wire.jsonl"));
  EXPECT_EQ(kinds_of(wire), (Counts{{"text", 3}, {"thinking", 2}, {"attachment", 2}}));
  const Conversation context = only(read_there(kLegacy + "with-image/context.jsonl"));
  const auto sound = std::get<transcript::Attachment>(context.turns[1].blocks[1].body);
  EXPECT_EQ(sound.kind, "file");
  EXPECT_EQ(sound.mime, "audio/wav");
}

TEST_F(KimiReal, EveryLineIsMappedOrSkipped) {
  int logs = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".jsonl") continue;
    ++logs;
    const std::string bytes = read_file(entry.path()).value();
    const Adapter& adapter = *find_adapter("kimi");
    EXPECT_EQ(adapter.recognises(head_of(bytes)), Confidence::yes) << entry.path();
    // Record by record: each tells something, is skipped, or is a piece of what is told later.
    Collector all;
    const auto reader = adapter.open({.name = entry.path().filename().string()});
    const auto framer = adapter.frame(head_of(bytes));
    int pieces = 0, others = 0;
    const auto emitted = [&] {
      std::size_t count = all.skipped.size();
      for (const Conversation& one : all.conversations) {
        count += blocks_of(one).size() + one.spawned.size();
        const Usage usage = one.facts.usage.value_or(Usage());
        count += static_cast<std::size_t>(usage.input + usage.output) + one.facts.tools.size() +
                 one.facts.cwd.has_value();
      }
      return count;
    };
    const OnRecord record = [&](const Record& found) {
      const std::size_t before = emitted();
      reader->read(found, all);
      if (emitted() > before) return;
      const bool is_piece = found.text.find("ContentPart") != std::string_view::npos ||
                            found.text.find("\"ToolCall") != std::string_view::npos;
      ++(is_piece ? pieces : others);
    };
    const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
    framer->push(bytes, record, oversize);
    framer->end(record, oversize);
    EXPECT_EQ(others, 0) << entry.path();
  }
  EXPECT_EQ(logs, 24);
}

TEST_F(KimiReal, ClaimsNoFileOfOthersAndNoneOfItsSidecars) {
  const Adapter& adapter = *find_adapter("kimi");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = fs::relative(entry.path(), real_fixtures()).string();
    if (path.starts_with("kimi/") && path.ends_with(".jsonl")) continue;
    const std::string bytes = read_file(entry.path()).value();
    EXPECT_EQ(adapter.recognises(head_of(bytes)), Confidence::no) << path;
  }
}

}  // namespace
}  // namespace weft::formats::kimi
