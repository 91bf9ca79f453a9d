// wot_walk_sequence with `from` or `outline`.
#include "weft/mcp/answers/garden_for_test.hpp"

namespace weft::mcp {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class BlockAnswers : public testing::Test {
 protected:
  ToolAnswer ask(const std::string& more) {
    return garden_.call("wot_walk_sequence", with("conversation_cid", kHeron, more));
  }
  store::ConversationRow row() const {
    return *query::resolve_conversation(garden_.library(), kHeron);
  }
  Garden garden_;
};

TEST_F(BlockAnswers, BlocksComeByNumber) {
  const ToolAnswer some = ask(R"("from": 1, "limit": 2, "cut": 10)");
  json::object expected =
      query::blocks(garden_.library(), row(), {.from = 1, .limit = 2, .cut = 10}).value();
  expected["next_from"] = 3;
  EXPECT_EQ(some.structured, expected);
  EXPECT_THAT(some.text, HasSubstr(": blocks 2 to 3 of "));
  EXPECT_THAT(some.text, HasSubstr("\"from\":3"));
  EXPECT_THAT(some.text, HasSubstr("\n[1] "));
  EXPECT_FALSE(ask(R"("from": 3, "limit": 1000)").structured.contains("next_from"));
}

TEST_F(BlockAnswers, AnOutlineHasNoText) {
  const ToolAnswer outline = ask(R"("outline": true, "limit": 3)");
  json::object expected = query::outline(garden_.library(), row(), {.limit = 3}).value();
  expected["next_from"] = 3;
  EXPECT_EQ(outline.structured, expected);
  EXPECT_THAT(outline.text, HasSubstr("\n0 human_input, turn 0, 2026-02-01T"));
  EXPECT_THAT(outline.text, HasSubstr(", because of 0\n"));
  EXPECT_EQ(outline.text.find("heron stand"), std::string::npos);
  // It is as long as there is room.
  const ToolAnswer small = garden_.call(
      "wot_walk_sequence",
      with("conversation_cid", kBeds, R"("outline": true, "all": true, "max_chars": 1000)"));
  EXPECT_LE(small.text.size(), 1'000u);
  EXPECT_TRUE(small.structured.contains("next_from")) << small.text;
}

}  // namespace
}  // namespace weft::mcp
