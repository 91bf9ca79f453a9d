// Sessions that pi and Oh My Pi really wrote, read by hand: what must come out is counted in
// the files themselves.
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/formats/adapters/pi/pi_for_test.hpp"

namespace weft::formats {
namespace {

class PiReal : public RealFiles {
 protected:
  PiReal() : RealFiles("pi", "openclaw-pi") {}
};

TEST_F(PiReal, AThousandLinesOfTheFirstVersion) {
  const Collector read_so_far =
      read("badlogic__pi-mono/packages/coding-agent/test/fixtures/before-compaction.jsonl");
  ASSERT_EQ(read_so_far.conversations.size(), 1u);
  const Conversation& session = read_so_far.conversations[0];
  EXPECT_EQ(session.heading.session_id, "ffae836b-9420-4060-ac13-7745215f90ff");
  EXPECT_EQ(session.facts.cwd, "~/workspaces/pi-mono");
  EXPECT_EQ(session.facts.title, std::nullopt);
  EXPECT_EQ(session.facts.usage, (transcript::Usage{3689, 187895, 54693675, 1685320}));
  EXPECT_EQ(
      session.origins,
      (std::vector<Origin>{{Origin::Kind::continued, "d97339c6-6c10-4827-846b-9ff1d9c3dc37"}}));
  // 55 prompts and 3 commands; two of these have nothing between and are one turn.
  EXPECT_EQ(session.turns.size(), 114u);
  EXPECT_EQ(std::ranges::count(session.turns, transcript::Role::human,
                               [](const auto& turn) { return turn.head.role; }),
            57);
  EXPECT_EQ(kinds_of(session), (Counts{{"text", 58 + 3 + 253},
                                       {"thinking", 49},
                                       {"call", 454},
                                       {"result", 448},
                                       {"compaction", 2},
                                       {"failure", 19}}));
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 10}}));

  EXPECT_EQ(session.turns[0].head.source_id, "#2");
  EXPECT_EQ(session.turns[1].head.source_id, "#3");
  EXPECT_EQ(session.turns[1].blocks.size(), 8u);
  EXPECT_EQ(session.turns[2].head.source_id, "#13");
  EXPECT_EQ(session.turns.back().head.source_id, "#1002.1");
  EXPECT_EQ(session.turns[0].blocks[0].recorded, parse_iso8601("2025-12-08T22:41:05.306Z"));
  EXPECT_TRUE(std::ranges::none_of(session.turns,
                                   [](const auto& turn) { return turn.head.parent.has_value(); }));
}

TEST_F(PiReal, AThousandLinesPairTheirResultsWithTheirCalls) {
  const Collector read_so_far =
      read("badlogic__pi-mono/packages/coding-agent/test/fixtures/before-compaction.jsonl");
  std::map<std::string, std::string> names;
  int answered = 0, errors = 0, with_details = 0, cut_off = 0, unsigned_thoughts = 0;
  for (const Block& block : blocks_of(read_so_far.conversations.at(0))) {
    if (block.author == Author::model && block.body.index() < 4) {
      EXPECT_EQ(block.model, "claude-opus-4-5");
    }
    if (const auto* call = std::get_if<ToolCall>(&block.body)) names[call->id] = call->name;
    if (const auto* thought = std::get_if<transcript::Thinking>(&block.body)) {
      cut_off += thought->cut_off ? 1 : 0;
      unsigned_thoughts += thought->signature ? 0 : 1;
    }
    const auto* result = std::get_if<ToolResult>(&block.body);
    if (result == nullptr) continue;
    EXPECT_EQ(names[result->call_id], result->name);
    ++answered;
    errors += result->is_error ? 1 : 0;
    with_details += result->details ? 1 : 0;
  }
  EXPECT_EQ(names.size(), 454u);
  EXPECT_EQ(answered, 448);  // six calls were broken off
  EXPECT_EQ(errors, 12);
  EXPECT_EQ(with_details, 134);
  EXPECT_EQ(cut_off, 2);
  EXPECT_EQ(unsigned_thoughts, 2);
}

TEST_F(PiReal, AShortSessionOfPi) {
  const Collector read_so_far = read("letta-ai__trajectory/fixtures/pi/tool-calls/input.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "019f92c8-d694-7ac3-9144-e3b22add01f3");
  EXPECT_EQ(outline(session),
            "human 87b91a11: text | assistant 7f2bf0eb: thinking call result call result text");
  EXPECT_EQ(session.facts.usage, (transcript::Usage{470, 115, 0, 0}));
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 2}}));
  const std::vector<Block> blocks = blocks_of(session);
  EXPECT_EQ(std::get<transcript::Thinking>(blocks.at(1).body).signature, "sig-1");
  EXPECT_EQ(blocks.at(1).message_id, "msg_uxf4ro49");
  EXPECT_EQ(blocks.at(2).message_id, "msg_uxf4ro49");
  EXPECT_EQ(blocks.at(2).index, 1u);
  EXPECT_EQ(std::get<ToolCall>(blocks.at(4).body).id, "toolu_pi_2");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(5).body).call_id, "toolu_pi_2");
  EXPECT_EQ(blocks.at(6).model, "claude-sonnet-5");
  EXPECT_EQ(blocks.at(6).recorded, parse_iso8601("2026-07-24T06:21:03.700Z"));
}

TEST_F(PiReal, AShortSessionOfOhMyPi) {
  const Collector read_so_far = read("letta-ai__trajectory/fixtures/omp/tool-calls/input.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.facts.title, "omp notes demo");
  EXPECT_EQ(outline(session),
            "human a1b20010: text | assistant a1b20020: thinking call result call result text");
  EXPECT_EQ(session.facts.usage, (transcript::Usage{470, 115, 0, 0}));
  // session_init, model, thinking level, service tier, mode, custom, ttsr_injection
  EXPECT_EQ(reasons_of(read_so_far.skipped), (Counts{{"internal", 7}}));
}

TEST_F(PiReal, ATornSessionWithABranchAndACommand) {
  const Collector read_so_far = read("letta-ai__trajectory/fixtures/omp/cleanup/input.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.facts.title, "cleanup session");
  // The reminder and the answer both follow the prompt: two branches. The last result
  // follows the command, although an answer without id stands between.
  EXPECT_EQ(outline(session),
            "human b2c30010: text attachment | assistant b2c30015: *text | "
            "assistant b2c30020<b2c30010: call result | human b2c30040: !ls | "
            "assistant b2c30040.1: *notes.md\n text | assistant b2c30060: result");
  EXPECT_EQ(session.facts.usage, (transcript::Usage{90, 15, 0, 0}));
  EXPECT_EQ(reasons_of(read_so_far.skipped),
            (Counts{{"internal", 1}, {"malformed: the text ends too early", 1}}));
  EXPECT_TRUE(std::get<ToolResult>(session.turns[2].blocks[1].body).is_error);
  EXPECT_EQ(session.turns[4].blocks[1].source_id, "#10");
}

TEST_F(PiReal, ASessionWhoseModelOnlyTheChangeNames) {
  const Collector read_so_far = read("vshulcz__deja-vu/fixtures/registry/omp/session.jsonl");
  const Conversation& session = read_so_far.conversations.at(0);
  EXPECT_EQ(session.facts.title, "registry conformance");
  EXPECT_EQ(outline(session), "human u1: text | assistant a1: thinking text");
  EXPECT_EQ(session.turns[1].blocks[1].model, "deepseek-v4-pro:0813");
  EXPECT_EQ(session.facts.usage, std::nullopt);
}

}  // namespace
}  // namespace weft::formats
