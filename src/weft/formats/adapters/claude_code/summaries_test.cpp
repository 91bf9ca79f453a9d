// Summary records: of this session, or of another one whose last record they name.
#include "weft/formats/adapters/claude_code/claude_code_for_test.hpp"

namespace weft::formats::claude_code {
namespace {

using Strings = std::vector<std::string>;

std::string summary(std::string_view text, std::string_view leaf) {
  return R"({"type":"summary","summary":")" + std::string(text) + R"(","leafUuid":")" +
         std::string(leaf) + "\"}\n";
}

const transcript::Summary& summary_in(const transcript::Conversation& conversation) {
  for (const transcript::Turn& turn : conversation.turns) {
    for (const transcript::Block& block : turn.blocks) {
      if (const auto* found = std::get_if<transcript::Summary>(&block.body)) return *found;
    }
  }
  throw std::logic_error("no summary");
}

TEST(ClaudeCodeSummary, OfAnotherSessionStandsAsideWhereItsRecordStands) {
  const std::string asks = user("u", "", "\"hi\"");
  const std::string says = assistant("a", "u", "m", R"([{"type":"text","text":"ho"}])");
  const Read all = read(asks + says + summary("Elsewhere", "x"));
  EXPECT_EQ(authored(all.only()), (Strings{"human: hi", "model: ho", "program: Elsewhere"}));
  EXPECT_EQ(roles(all.only()), "HA");
  EXPECT_TRUE(summary_in(all.only()).is_aside);
  EXPECT_EQ(summary_in(all.only()).leaf, "x");
  EXPECT_EQ(all.only().facts.summary, std::nullopt);
  EXPECT_EQ(all.only().facts.title, "hi");
  EXPECT_TRUE(all.skipped.empty());
}

TEST(ClaudeCodeSummary, OfThisSessionIsItsSummary) {
  const Read all = read(user("u", "", "\"hi\"") + summary("Here", "u"));
  EXPECT_FALSE(summary_in(all.only()).is_aside);
  EXPECT_EQ(summary_in(all.only()).leaf, "u");
  EXPECT_EQ(all.only().facts.summary, "Here");
}

// The first message gives the conversation its time and name.
TEST(ClaudeCodeSummary, BeforeTheFirstMessageWaitsForIt) {
  const Read all = read(summary("One", "x") + summary("Two", "y") + user("u", "", "\"hi\"") +
                        user("v", "u", "\"ho\""));
  EXPECT_EQ(authored(all.only()),
            (Strings{"human: hi", "program: One", "program: Two", "human: ho"}));
  EXPECT_EQ(roles(all.only()), "H");
  EXPECT_EQ(all.only().heading.session_id, "s");
}

TEST(ClaudeCodeSummary, AloneMakesAConversation) {
  const Read all = read(summary("One", "x"), {.name = std::string(kSession) + ".jsonl"});
  EXPECT_EQ(authored(all.only()), (Strings{"program: One"}));
  EXPECT_EQ(all.only().heading.session_id, kSession);
  EXPECT_EQ(roles(all.only()), "S");
}

TEST(ClaudeCodeSummary, ThatWaitsIsSavedInBoundedState) {
  std::string many;
  for (int i = 0; i < 400; ++i) many += summary(std::string(1000, 'x'), "l" + std::to_string(i));
  const Read all = read(many + user("u", "", "\"hi\""));
  EXPECT_EQ(kinds(all.only())["program summary"], 65);
  EXPECT_EQ(all.skips(),
            (std::map<std::string, int>{{"too many summaries before the first message", 335}}));
}

}  // namespace
}  // namespace weft::formats::claude_code
