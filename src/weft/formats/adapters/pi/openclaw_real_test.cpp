// Sessions of OpenClaw as others keep them, read by hand; and whose files are whose.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/formats/adapters/pi/pi_for_test.hpp"

namespace weft::formats {
namespace {

constexpr std::string_view kStage = "jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/";
constexpr std::string_view kRegistry = "vshulcz__deja-vu/fixtures/registry/openclaw/agents/main/";

class OpenClawReal : public RealFiles {
 protected:
  OpenClawReal() : RealFiles("openclaw", "openclaw-pi") {}
};

TEST_F(OpenClawReal, ASmallSessionWhoseResultFollowsItsCall) {
  const Collector read_so_far = read(std::string(kStage) + "openclaw/small.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "openclaw-stage0-small");
  EXPECT_EQ(outline(session), "human m1: List files | assistant m2: Running ls now. call result");
  const std::vector<Block> blocks = blocks_of(session);
  EXPECT_EQ(blocks.at(2).model, "openclaw-small");  // the change of model says so
  const auto& result = std::get<transcript::ToolResult>(blocks.at(3).body);
  EXPECT_EQ(result.call_id, "tc1");
  EXPECT_EQ(result.name, "shell_exec");
  EXPECT_EQ(result.text, "main.swift\nResources\n");
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 1}}));
}

TEST_F(OpenClawReal, ALargerOneWithContextOfTheRuntime) {
  const Collector read_so_far = read(std::string(kStage) + "openclaw/large.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(outline(session),
            "system oc-custom-message-1: *text | human m1: text | "
            "assistant m2: text call result Done text call result");
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 3}}));
  const std::vector<Block> blocks = blocks_of(session);
  EXPECT_EQ(blocks.at(0).recorded, parse_iso8601("2026-05-19T18:12:00Z"));
  EXPECT_EQ(blocks.at(5).message_id, "m4");  // two answers in a row are two steps
  EXPECT_EQ(blocks.at(7).message_id, "m5");
}

TEST_F(OpenClawReal, AnEntryOfAnotherTimeIsKept) {
  const Collector read_so_far = read(std::string(kStage) + "openclaw/schema_drift.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(outline(session),
            "human m1: Need a quick diagnostic | assistant m2: text call result *text *unknown");
  const auto& unknown = std::get<transcript::Unknown>(session.turns[1].blocks[4].body);
  EXPECT_EQ(unknown.block_type, "compact");
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 1}}));
}

TEST_F(OpenClawReal, ASessionOfALaterVersion) {
  const Collector read_so_far =
      read("letta-ai__trajectory/fixtures/openclaw/tool-calls/input.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(outline(session), "human entry-1: text | assistant entry-2: thinking call result text");
  EXPECT_EQ(session.facts.usage, (transcript::Usage{300, 65, 0, 0}));
  EXPECT_EQ(session.turns[1].blocks[3].model, "claude-opus-4-8");
  EXPECT_TRUE(read_so_far.skipped.empty());
}

TEST_F(OpenClawReal, ASessionInItsFolderHasItsAgentsProject) {
  const std::string path =
      std::string(kRegistry) + "sessions/a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d.jsonl";
  const Adapter& adapter = *find_adapter("openclaw");
  EXPECT_EQ(adapter.project((root_ / path).string(), ""), "openclaw-main");
  const Conversation session = read(path).conversations.at(0);
  EXPECT_EQ(outline(session), "human u1: text | assistant a1: thinking text");
  EXPECT_EQ(session.facts.usage, (transcript::Usage{5, 10, 0, 0}));
}

TEST_F(OpenClawReal, LeavesTheIndexAndTheCheckpointAlone) {
  std::map<std::string, std::string> left;
  for (const auto& file : fs::directory_iterator(root_ / kRegistry / "sessions")) {
    const auto why = find_adapter("openclaw")->ignore_reason(file.path().string());
    if (why) left[file.path().filename().string().substr(0, 8)] = *why;
  }
  EXPECT_EQ(left, (std::map<std::string, std::string>{{"a1b2c3d4", "checkpoint"},
                                                      {"sessions", "sidecar"}}));
}

// A sink that counts, record by record, what comes of it.
class Outcome : public Collector {
 public:
  std::size_t content = 0;
  void heading(const transcript::Heading& heading) override {
    ++content;
    Collector::heading(heading);
  }
  void block(Block&& block) override {
    ++content;
    Collector::block(std::move(block));
  }
  void facts(const transcript::Facts& facts) override {
    ++content;
    Collector::facts(facts);
  }
};

TEST_F(OpenClawReal, EveryLineOfEveryFileIsMappedOrSkipped) {
  int files = 0;
  for (const auto& file : fs::recursive_directory_iterator(root_)) {
    if (file.path().extension() != ".jsonl") continue;
    ++files;
    const std::string bytes = read_file(file.path()).value();
    for (const std::string_view name : {"pi", "openclaw"}) {
      const Adapter& adapter = *find_adapter(name);
      const auto reader = adapter.open({});
      Outcome outcome;
      std::size_t lines = 0, accounted = 0;
      const OnRecord record = [&](const Record& found) {
        const std::size_t record_content = outcome.content, skipped = outcome.skipped.size();
        reader->read(found, outcome);
        ++lines;
        const bool is_skipped = outcome.skipped.size() == skipped + 1;
        accounted += is_skipped || outcome.content > record_content ? 1 : 0;
        EXPECT_LE(outcome.skipped.size(), skipped + 1);
      };
      const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
      const auto framer = adapter.frame(head_of(bytes));
      framer->push(bytes, record, oversize);
      framer->end(record, oversize);
      EXPECT_EQ(accounted, lines) << file.path();
      EXPECT_EQ(lines, static_cast<std::size_t>(std::ranges::count(bytes, '\n'))) << file.path();
    }
  }
  EXPECT_EQ(files, 11);
}

// Of all formats' files: ours are claimed, the others' are not.
TEST_F(OpenClawReal, ClaimsWhatIsOursAndNothingElse) {
  std::set<std::string> openclaw, pi;
  for (const auto& file : fs::recursive_directory_iterator(real_fixtures())) {
    if (!file.is_regular_file()) continue;
    const std::string bytes = read_file(file.path()).value();
    const Confidence as_openclaw = find_adapter("openclaw")->recognises(head_of(bytes));
    const Confidence as_pi = find_adapter("pi")->recognises(head_of(bytes));
    EXPECT_EQ(as_openclaw == Confidence::no, as_pi == Confidence::no) << file.path();
    EXPECT_FALSE(as_openclaw == as_pi && as_pi != Confidence::no) << file.path();
    const std::string name = file.path().lexically_relative(root_).string();
    if (as_openclaw == Confidence::yes) openclaw.insert(name);
    if (as_pi == Confidence::yes) pi.insert(name);
  }
  const std::string stage = std::string(kStage) + "openclaw/";
  EXPECT_EQ(openclaw,
            (std::set<std::string>{
                stage + "large.jsonl", stage + "small.jsonl", stage + "schema_drift.jsonl",
                "letta-ai__trajectory/fixtures/openclaw/tool-calls/input.jsonl"}));
  const std::string sessions =
      std::string(kRegistry) + "sessions/a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d";
  // Nothing in the last two says whose they are but the folder that they lie in.
  EXPECT_EQ(pi, (std::set<std::string>{
                    "badlogic__pi-mono/packages/coding-agent/test/fixtures/before-compaction.jsonl",
                    "letta-ai__trajectory/fixtures/omp/cleanup/input.jsonl",
                    "letta-ai__trajectory/fixtures/omp/tool-calls/input.jsonl",
                    "letta-ai__trajectory/fixtures/pi/tool-calls/input.jsonl",
                    "vshulcz__deja-vu/fixtures/registry/omp/session.jsonl", sessions + ".jsonl",
                    sessions + ".checkpoint.11111111-2222-4333-8444-555555555555.jsonl"}));
}

}  // namespace
}  // namespace weft::formats
